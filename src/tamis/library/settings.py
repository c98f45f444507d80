"""The configuration in force, key by key."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tamis.library.library import Library

DEFAULT = "default"
# A number is rarely a secret, and "tokens" are rarely anything else than a number.
_SECRET_NUMBER = re.compile(r"SECRET|PASSW|CREDENTIAL|AUTH(?!OR(?!I))", re.IGNORECASE)
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_HEADERS = re.compile(r"HEADERS?$", re.IGNORECASE)


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
        Setting(key, _shown(path, value), origins.get(key, DEFAULT))
        for path, value in _leaves(to_builtins(library.config))
        if (key := ".".join(path))
    ]


def _shown(path: tuple[str, ...], value: object) -> object:
    """The value, unless it may be a secret: these do not belong in the file, and are not shown when they are there."""
    from tamis.wire.secrets import MASK, masked

    if isinstance(value, dict):
        items = cast("dict[str, object]", value).items()
        return {key: _shown((*path, key), item) for key, item in items}
    if isinstance(value, (list, tuple)):
        return [_shown(path, item) for item in cast("list[object]", value)]
    if value is None or isinstance(value, bool):
        return value
    if _is_secret(path, value):
        return MASK
    return masked(value) if isinstance(value, str) else value


def _is_secret(path: tuple[str, ...], value: object) -> bool:
    """Whether a name on the way to the value says so. The name of a scope, which users choose, says nothing."""
    from tamis.wire.secrets import SECRET_NAME

    names = path[2:] if path[0] == "scope" else path
    if any(_HEADERS.search(name) for name in names):
        return True
    if names and names[-1].endswith("_env"):
        return not _VARIABLE.fullmatch(str(value))
    telling = SECRET_NAME if isinstance(value, str) else _SECRET_NUMBER
    return any(telling.search(name) for name in names)


def _leaves(values: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in values.items():
        if isinstance(value, dict) and value:
            yield from _leaves(value, (*path, key))  # pyright: ignore[reportUnknownArgumentType]
        else:
            yield (*path, key), value
