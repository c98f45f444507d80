"""Values of the library as what JSON can say. One schema for every shell.

- A field that does not apply (``None``) is absent; a number that is none, or infinite, is null.
- A field that the envelope carries (warnings, degraded …) is there and not here.
- A hit leaves out its whole text unless it is asked for; spans and lines are pairs.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Any, cast

from tamis.render.printable import whole_characters
from tamis.types import Hit, SearchResult

# Fields of a result that are the envelope's to show.
LIFTED = frozenset({"warnings", "degraded", "degrade_reason", "cost_cents", "model_use"})


def payload(value: object, *, text: bool = False) -> Any:
    """The value as dicts, lists, strings, numbers and booleans.

    Args:
        text: Give hits their whole text.

    Raises:
        TypeError: The value is of a kind that no result has.
    """
    match value:
        case None | bool() | int():
            return value
        case float():
            return value if math.isfinite(value) else None
        case str() | PurePath():
            return whole_characters(str(value))
        case Mapping():
            items = cast("Mapping[object, object]", value).items()
            return {str(key): payload(item, text=text) for key, item in items}
        case _ if dataclasses.is_dataclass(value):
            return _record(value, text)
        case Iterable():
            return [payload(item, text=text) for item in cast("Iterable[object]", value)]
        case _:
            raise TypeError(f"{type(value).__name__} is no part of a result")


def _record(value: object, text: bool) -> dict[str, Any]:
    match value:
        case Hit():
            return _fields(value, frozenset() if text else {"text"})
        case SearchResult():
            return _fields(value, LIFTED if value.weak else LIFTED | {"weak"}, text=text)
        case _:
            return _report(value, text)


def _report(value: object, text: bool) -> dict[str, Any]:
    # Not at the top: a search shows no report, and to make their data classes takes a tenth of its time from cold.
    from tamis.types import HealthReport

    if isinstance(value, HealthReport):
        # Its warnings are what was asked for.
        return {**payload(value.summary), **_fields(value, {"summary"})}
    return _fields(value, LIFTED, text=text)


def _fields(value: Any, without: frozenset[str] | set[str], *, text: bool = False) -> dict[str, Any]:
    return {
        field.name: payload(item, text=text)
        for field in dataclasses.fields(value)
        if field.name not in without and (item := getattr(value, field.name)) is not None
    }
