"""Loading the MCP SDK fast enough for a process that must answer half a second after its start.

The SDK's packages import its clients, its decorators and an HTTP stack when they are imported, and pydantic compiles a
validator for each of some 500 protocol types of which a session uses a dozen. Here the packages' ``__init__`` wait until
something asks for a name of theirs, validators are compiled when they are first used, and the HTTP server is not loaded
to be told of its end. Nothing of the SDK is changed: all of it is there for whoever asks.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from contextlib import contextmanager
from inspect import isclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

PACKAGES = ("mcp", "mcp.server")
NEEDED = ("mcp.server.lowlevel.server", "mcp.server.stdio")
# sse_starlette takes a hold of it where it is installed; over stdio there is none to hold.
UNNEEDED = "uvicorn"


class _Waiting(ModuleType):
    """A package whose ``__init__`` runs when a name that only it can give is asked for."""

    def __getattr__(self, name: str) -> object:
        spec = self.__spec__
        if name.startswith("__") or spec is None or spec.loader is None:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        self.__class__ = ModuleType  # pyright: ignore[reportAttributeAccessIssue]
        spec.loader.exec_module(self)
        return getattr(self, name)


def load() -> None:
    """Import what the server over stdio needs of the SDK; does nothing where the SDK is loaded already."""
    if "mcp" in sys.modules:
        return
    with _compiling_late(), _as_if_absent(UNNEEDED):
        for name in PACKAGES:
            _add_waiting(name)
        for name in NEEDED:
            importlib.import_module(name)


def _add_waiting(name: str) -> None:
    spec = importlib.util.find_spec(name)
    if spec is None:
        return  # the import that follows says so
    module = importlib.util.module_from_spec(spec)
    module.__class__ = _Waiting
    sys.modules[name] = module
    parent, _, leaf = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], leaf, module)


@contextmanager
def _as_if_absent(name: str) -> Generator[None]:
    """Imports of the package fail meanwhile, unless it is loaded already."""
    absent = name not in sys.modules
    if absent:
        cast("dict[str, ModuleType | None]", sys.modules)[name] = None
    try:
        yield
    finally:
        if absent:
            del sys.modules[name]


@contextmanager
def _compiling_late() -> Generator[None]:
    """Pydantic's own ``defer_build``, for the models and adapters that are defined meanwhile."""
    from pydantic import BaseModel, ConfigDict, TypeAdapter

    late = ConfigDict(defer_build=True)
    config = BaseModel.model_config
    make = cast("Callable[..., None]", TypeAdapter.__init__)  # pyright: ignore[reportUnknownMemberType]

    def make_late(adapter: Any, kind: Any, *, _parent_depth: int = 2, **options: Any) -> None:
        # A model has its own configuration and takes no other.
        if not (isclass(kind) and issubclass(kind, BaseModel)):
            options.setdefault("config", late)
        make(adapter, kind, _parent_depth=_parent_depth + 1, **options)

    BaseModel.model_config = late
    setattr(TypeAdapter, "__init__", make_late)  # noqa: B010 a method, replaced for a moment
    try:
        yield
    finally:
        BaseModel.model_config = config
        setattr(TypeAdapter, "__init__", make)  # noqa: B010
