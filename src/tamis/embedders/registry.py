"""Embedders by key.

A driver is one file with one function that takes what followed the key in the name, and the configuration::

    def open_ollama(model: str, config: EmbedderConfig) -> Embedder:
        return OllamaEmbedder(model, config.options)

``BUILT_IN`` names it, and the file is imported when its key is asked for. It imports nothing heavy at its top: what it
needs to embed is imported when the embedder embeds, and names a missing extra by ``MissingExtraError``.
Rows that come back from a model go through ``assemble``, whoever made them.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from tamis.embedders.config import EmbedderConfig
from tamis.errors import ConfigError
from tamis.suggestions import suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tamis.ports import Embedder

    Factory: TypeAlias = Callable[[str, EmbedderConfig], Embedder]

GROUP = "tamis.embedders"
"""Entry points of plug-ins: the name is the key, the value a factory as ``register`` takes it."""


class Driver(NamedTuple):
    """Where the function of a driver is; ``folders``: what follows the key may be a folder on this machine."""

    module: str
    function: str
    folders: bool = False


BUILT_IN = {
    "bundled": Driver("bundled", "open_bundled"),
    "fastembed": Driver("fastembed_model", "open_fastembed", folders=True),
    "ollama": Driver("ollama_server", "open_ollama"),
    "onnx": Driver("onnx_folder", "open_onnx", folders=True),
    "openai": Driver("openai_server", "open_openai"),
    "sentence_transformers": Driver(
        "sentence_transformers_model", "open_sentence_transformers", folders=True
    ),
}

_factories: dict[str, Factory] = {}
_of_folders = {key for key, driver in BUILT_IN.items() if driver.folders}


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
    """The keys built in, the registered ones and those of installed plug-ins, sorted."""
    from importlib.metadata import entry_points

    return tuple(sorted({*BUILT_IN, *_factories, *entry_points(group=GROUP).names}))


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
    factory = _factories.get(key) or _built_in(key) or _plugged_in(key)
    if factory is None:
        raise ConfigError(f"there is no embedder {key!r}", hint=suggestion(key, keys()))
    return factory(model, EmbedderConfig(cache, threads, options or {}))


def _built_in(key: str) -> Factory | None:
    driver = BUILT_IN.get(key)
    if driver is None:
        return None
    return getattr(import_module(f"tamis.embedders.{driver.module}"), driver.function)


def _plugged_in(key: str) -> Factory | None:
    """The driver of that key that an installed package brings."""
    from importlib.metadata import entry_points

    for found in entry_points(group=GROUP, name=key):
        try:
            return found.load()
        except Exception as error:
            raise ConfigError(
                f"the plug-in for the embedder {key!r} ({found.value}) does not load: {error}",
                hint="update or remove the package that brings it",
            ) from error
    return None
