"""Embedders by key.

A driver is one file with one function that takes what followed the key in the name, and the configuration::

    @register("ollama")
    def open_ollama(model: str, config: EmbedderConfig) -> Embedder:
        return OllamaEmbedder(model, config.options)

The package's ``__init__`` imports that file. So the file imports nothing heavy at its top: what it needs to embed is
imported when the embedder embeds, and names a missing extra by ``MissingExtraError``. Listing keys then costs nothing.
Rows that come back from a model go through ``assemble``, whoever made them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from tamis.embedders.config import EmbedderConfig
from tamis.errors import ConfigError
from tamis.suggestions import suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tamis.ports import Embedder

    Factory: TypeAlias = Callable[[str, EmbedderConfig], Embedder]

GROUP = "tamis.embedders"
"""Entry points of plug-ins: the name is the key, the value a factory as ``register`` takes it."""

_factories: dict[str, Factory] = {}
_of_folders: set[str] = set()


def register(key: str, *, folders: bool = False) -> Callable[[Factory], Factory]:
    """Make the decorated function the driver for ``key``; a later one replaces an earlier one.

    Args:
        folders: What follows the key may be a folder on this machine.
    """

    def keep(factory: Factory) -> Factory:
        _factories[key] = factory
        (_of_folders.add if folders else _of_folders.discard)(key)
        return factory

    return keep


def keys() -> tuple[str, ...]:
    """The registered keys and those of installed plug-ins, sorted."""
    from importlib.metadata import entry_points

    return tuple(sorted({*_factories, *entry_points(group=GROUP).names}))


def lasting(name: str) -> str:
    """``name`` as it is to be kept: a folder in it is named from the root, so that it is found from anywhere."""
    key, _, model = name.partition(":")
    folder = Path(model).expanduser()
    return f"{key}:{folder.absolute()}" if key in _of_folders and model and folder.is_dir() else name


def get(name: str, *, cache: Path, threads: int = 0, options: Mapping[str, Any] | None = None) -> Embedder:
    """The embedder called ``name``, ``KEY`` or ``KEY:MODEL``; ``EmbedderConfig`` tells of the rest. Loads no model yet.

    Raises:
        ConfigError: No such key, or the driver cannot be set up so; the hint names the fix.
    """
    key, _, model = name.partition(":")
    if key not in _factories and not _plugged_in(key):
        raise ConfigError(f"there is no embedder {key!r}", hint=suggestion(key, keys()))
    return _factories[key](model, EmbedderConfig(cache, threads, options or {}))


def _plugged_in(key: str) -> bool:
    """Whether an installed package brings a driver of that key; it is registered then."""
    from importlib.metadata import entry_points

    for found in entry_points(group=GROUP, name=key):
        try:
            _factories[key] = found.load()
        except Exception as error:
            raise ConfigError(
                f"the plug-in for the embedder {key!r} ({found.value}) does not load: {error}",
                hint="update or remove the package that brings it",
            ) from error
        return True
    return False
