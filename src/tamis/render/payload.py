"""Values of the library as what JSON can say. One schema for every shell.

- A field that does not apply (``None``) is absent.
- A field that the envelope carries (warnings, degraded …) is there and not here.
- A hit leaves out its whole text unless it is asked for; spans and lines are pairs.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Any, cast

from tamis.render.printable import whole_characters
from tamis.types import HealthReport, Hit, SearchResult

# Fields of a result that are the envelope's to show.
LIFTED = frozenset({"warnings", "degraded", "degrade_reason", "cost_cents", "tokens_in", "tokens_out"})


def payload(value: object, *, text: bool = False) -> Any:
    """The value as dicts, lists, strings, numbers and booleans.

    Args:
        text: Give hits their whole text.

    Raises:
        TypeError: The value is of a kind that no result has.
    """
    match value:
        case None | bool() | int() | float():
            return value
        case str():
            return whole_characters(value)
        case PurePath():
            return whole_characters(str(value))
        case SearchResult():
            return _search(value, text)
        case HealthReport():
            # Its warnings are what was asked for.
            return {
                **payload(value.summary),
                **_fields(value, {"summary"}),
                "warnings": payload(value.warnings),
            }
        case Hit():
            return _fields(value, frozenset() if text else {"text"})
        case Mapping():
            return _mapping(cast("Mapping[object, object]", value), text)
        case _ if dataclasses.is_dataclass(value):
            return _fields(value, LIFTED, text=text)
        case Iterable():
            return [payload(item, text=text) for item in cast("Iterable[object]", value)]
        case _:
            raise TypeError(f"{type(value).__name__} is no part of a result")


def _fields(value: Any, without: frozenset[str] | set[str], *, text: bool = False) -> dict[str, Any]:
    return {
        field.name: payload(item, text=text)
        for field in dataclasses.fields(value)
        if field.name not in without and (item := getattr(value, field.name)) is not None
    }


def _mapping(value: Mapping[object, object], text: bool) -> dict[str, Any]:
    return {str(key): payload(item, text=text) for key, item in value.items()}


def _search(result: SearchResult, text: bool) -> dict[str, Any]:
    # Weak is said only of a result that is.
    return _fields(result, LIFTED if result.weak else LIFTED | {"weak"}, text=text)
