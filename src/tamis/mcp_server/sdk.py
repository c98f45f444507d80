"""Loading the MCP SDK fast enough for a process that must answer half a second after its start.

The SDK's packages import its clients, its decorators and an HTTP stack when they are imported, and pydantic makes a model
with a validator of each of some 500 protocol types of which a session uses a dozen. Here the packages' ``__init__`` wait
until something asks for a name of theirs, models of the wire are made and validators compiled when they are first used, and
names that the server needs over HTTP alone are left empty in it. All the rest of the SDK is there for whoever asks; the
server that is loaded so speaks over streams only.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
import sys
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from inspect import isclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

from tamis.mcp_server.sketches import sketching

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

SDK = "mcp"
PACKAGES = (SDK, "mcp.server")
TYPES = "mcp_types"
NEEDED = ("mcp.server.lowlevel.server", "mcp.server.stdio")
HTTP_ONLY = (
    "starlette",
    "mcp.server.auth",
    "mcp.server.streamable_http",
    "mcp.server.streamable_http_manager",
    "mcp.server.transport_security",
)


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
    if SDK in sys.modules:
        return
    try:
        _load_lean()
    except Exception:  # another version of the SDK, or of pydantic, needs more while it is imported
        logging.getLogger(__name__).debug("the SDK is loaded whole", exc_info=True)
        for name in [name for name in sys.modules if name.partition(".")[0] in (SDK, TYPES)]:
            del sys.modules[name]


def _load_lean() -> None:
    with _compiling_late(), _without_http():
        for name in PACKAGES:
            _add_waiting(name)
        with _rebuilding_late():
            importlib.import_module(TYPES)
        with sketching(importlib.import_module(f"{TYPES}._wire_base"), "WireModel"):
            importlib.import_module(f"{TYPES}.methods")
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


class _Nothing(ModuleType):
    """A package whose every name is an empty class."""

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


class _Nothings:
    """Finds and loads a ``_Nothing`` for what is needed over HTTP alone."""

    @staticmethod
    def find_spec(name: str, *_: object) -> ModuleSpec | None:
        """As ``importlib.abc.MetaPathFinder`` has it."""
        if any(name == left_out or name.startswith(f"{left_out}.") for left_out in HTTP_ONLY):
            return ModuleSpec(name, cast("Any", _Nothings), is_package=True)
        return None

    @staticmethod
    def create_module(spec: ModuleSpec) -> ModuleType:
        """As ``importlib.abc.Loader`` has it, and so the next."""
        return _Nothing(spec.name)

    @staticmethod
    def exec_module(_: ModuleType) -> None:
        """There is nothing to run."""


@contextmanager
def _without_http() -> Generator[None]:
    """Imports of what is needed over HTTP alone give nothing meanwhile, unless it is loaded already."""
    finder = cast("Any", _Nothings)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name, module in sys.modules.items() if isinstance(module, _Nothing)]:
            del sys.modules[name]
            parent, _, leaf = name.rpartition(".")
            if parent in sys.modules:
                delattr(sys.modules[parent], leaf)


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


@contextmanager
def _rebuilding_late() -> Generator[None]:
    """Models told to compile themselves at the module's end, where their forward references are known, wait as well."""
    from pydantic import BaseModel

    rebuild = BaseModel.__dict__["model_rebuild"]

    def rebuild_late(model: type[BaseModel], **given: Any) -> bool | None:
        return rebuild.__func__(model, **given) if given else None  # with arguments pydantic itself asks

    setattr(BaseModel, "model_rebuild", classmethod(rebuild_late))  # noqa: B010
    try:
        yield
    finally:
        setattr(BaseModel, "model_rebuild", rebuild)  # noqa: B010
