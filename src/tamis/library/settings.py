"""The configuration in force, key by key."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tamis.library.library import Library

DEFAULT = "default"
MASK = "***"
_USER_INFO = re.compile(r"(\b[a-z][a-z0-9+.-]*://)[^/@\s]+@", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Setting:
    """A dotted key of ``tamis.toml``, its value and where that comes from: a file, a variable, or ``default``."""

    key: str
    value: object
    origin: str


def settings(library: Library) -> list[Setting]:
    """Every key that there is, in the order of the schema; a value that may be a secret is masked."""
    from msgspec import to_builtins

    origins = library.config_origins
    return [
        Setting(key, _shown(key, value), origins.get(key, DEFAULT))
        for key, value in _leaves(to_builtins(library.config))
    ]


def _shown(key: str, value: object) -> object:
    """The value, unless its name says that it is a secret or it is a URL with a password: these do not belong in the file,
    and are not shown when they are there."""
    from tamis.wire.secrets import SECRET_NAME, scrub

    if not isinstance(value, str):
        return value
    name = key.rpartition(".")[2]
    if SECRET_NAME.search(name) and not name.endswith("_env"):
        return MASK
    return scrub(_USER_INFO.sub(rf"\1{MASK}@", value))


def _leaves(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if isinstance(value, dict) and value:
            yield from _leaves(value, f"{prefix}{key}.")  # pyright: ignore[reportUnknownArgumentType]
        else:
            yield prefix + key, value
