"""Configuration: what may be set, and where it is read from."""

from tamis.config.load import Loaded, config_file, home_folder, load
from tamis.config.schema import Config

__all__ = ["Config", "Loaded", "config_file", "home_folder", "load"]
