"""Classes of pydantic models that are made when they are first asked for something; until then only their text is kept."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from types import ModuleType


class Sketch(type):
    """Metaclass of sketches: a class takes the place of the model that it describes, for validating and in annotations."""

    described: tuple[str, tuple[type, ...], dict[str, object]]
    made: type | None

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> Sketch:
        sketch = super().__new__(cls, name, bases, {})
        sketch.described = (name, bases, body)
        sketch.made = None
        return sketch

    @property
    def model(cls) -> type:
        if cls.made is None:
            name, bases, body = cls.described
            models = tuple(base.model if isinstance(base, Sketch) else base for base in bases)
            cls.made = type(models[0])(name, models, body)
        return cls.made

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(cls.model, name)

    def __get_pydantic_core_schema__(cls, _: object, handler: Callable[[type], object]) -> object:
        return handler(cls.model)


@contextmanager
def sketching(module: ModuleType, name: str) -> Generator[None]:
    """Classes derived from the model ``name`` of ``module`` are only sketched meanwhile."""
    model = getattr(module, name)
    base = Sketch(name, (), {})
    base.made = model
    setattr(module, name, base)
    try:
        yield
    finally:
        setattr(module, name, model)
