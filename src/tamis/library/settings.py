"""The configuration in force, key by key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tamis.library.library import Library

DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Setting:
    """A dotted key of ``tamis.toml``, its value and where that comes from: a file, a variable, or ``default``."""

    key: str
    value: object
    origin: str


def settings(library: Library) -> list[Setting]:
    """Every key that there is, in the order of the schema."""
    from msgspec import to_builtins

    origins = library.config_origins
    return [
        Setting(key, value, origins.get(key, DEFAULT)) for key, value in _leaves(to_builtins(library.config))
    ]


def _leaves(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if isinstance(value, dict) and value:
            yield from _leaves(value, f"{prefix}{key}.")  # pyright: ignore[reportUnknownArgumentType]
        else:
            yield prefix + key, value
