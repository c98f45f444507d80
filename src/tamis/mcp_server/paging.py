"""Replies of bounded length: what does not fit waits under a cursor.

A result is its lists and its text, which can be divided, and all else, which every page repeats. A page takes as many
items, in their order, as fit; at least one, so that each page brings something. An item that no page of its own could hold
is cut.
"""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from tamis.errors import InputError
from tamis.mcp_server.tokens import estimate
from tamis.render import encode

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TEXT, QUERY = "text", "query"
PIECE_CHARS = 600  # of a text that is divided
KEPT = 64  # replies whose rest is kept; the oldest goes
LONGEST_STRING = 4000
CUTS = (LONGEST_STRING, 2000, 1000, 500, 250, 125)
"""Characters of a string, and ten times the items of a list, inside an item that a page of its own cannot hold."""


class Unit(NamedTuple):
    """An item of one of the result's lists, or a piece of its text. ``field`` is empty for a result that is a list."""

    field: str
    item: Any


class Page(NamedTuple):
    """A part of a result, the first unit that is not in it, and whether something in it was cut."""

    result: Any
    end: int
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Divided:
    """A result taken apart: ``fixed`` is what every page has, with its divisible fields empty."""

    fixed: object
    units: tuple[Unit, ...]

    def page(self, start: int, max_tokens: int) -> Page:
        """The result with the units from ``start`` that fit."""
        room = left = max_tokens - _tokens(self.fixed)
        end = start
        while end < len(self.units):
            left -= _tokens(self.units[end].item) + 1
            if left < 0 and end > start:
                break
            end += 1
        units = self.units[start:end]
        fitted = (_fitted(units[0], room),) if left < 0 and len(units) == 1 else units
        return Page(self._with(fitted), end, fitted != units)

    def _with(self, units: Sequence[Unit]) -> Any:
        if isinstance(self.fixed, list):
            return [unit.item for unit in units]
        fixed = self.fixed
        if not isinstance(fixed, dict):
            return fixed
        result = dict(cast("dict[str, Any]", fixed))
        for name, value in result.items():
            own = [unit.item for unit in units if unit.field == name]
            if isinstance(value, list) and not _is_value(name):
                result[name] = own
            elif own:
                result[name] = "".join(own)
        return result


def divide(result: Any) -> Divided:
    """Take a result apart."""
    if isinstance(result, list):
        return Divided([], tuple(Unit("", item) for item in cast("list[Any]", result)))
    if not isinstance(result, dict):
        return Divided(result, ())
    fields = cast("dict[str, Any]", result)
    fixed = {name: _emptied(name, value) for name, value in fields.items()}
    return Divided(fixed, tuple(unit for name, value in fields.items() for unit in _units(name, value)))


def _emptied(name: str, value: Any) -> Any:
    if isinstance(value, list):
        # Pairs such as lines are values, not lists.
        return cast("list[Any]", value) if _is_value(name) else []
    if name == QUERY and isinstance(value, str):  # the caller's own
        return _cut(value, LONGEST_STRING)
    return "" if name == TEXT and isinstance(value, str) else value


def _units(name: str, value: Any) -> Iterator[Unit]:
    if isinstance(value, list) and not _is_value(name):
        yield from (Unit(name, item) for item in cast("list[Any]", value))
    elif name == TEXT and isinstance(value, str):
        yield from (Unit(name, value[at : at + PIECE_CHARS]) for at in range(0, len(value), PIECE_CHARS))


def _is_value(name: str) -> bool:
    return name == "lines"


def _fitted(unit: Unit, room: int) -> Unit:
    """The unit with its item cut as far as it must be; a piece of a text is short enough."""
    if unit.field == TEXT:
        return unit
    item = unit.item
    for most in CUTS:
        item = _cut(unit.item, most)
        if _tokens(item) <= room:
            break
    return Unit(unit.field, item)


def _cut(item: Any, most: int) -> Any:
    if isinstance(item, str):
        return item if len(item) <= most else item[: most - 1] + "…"
    if isinstance(item, list):
        return [_cut(value, most) for value in cast("list[Any]", item)[: max(1, most // 10)]]
    if isinstance(item, dict):
        return {key: _cut(value, most) for key, value in cast("dict[str, Any]", item).items()}
    return item


def _tokens(value: Any) -> int:
    return estimate(encode(value).decode())


class Waiting:
    """What did not fit, by cursor; safe to use from threads."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Any] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, rest: Any) -> str:
        """A new cursor for it."""
        cursor = secrets.token_urlsafe(12)
        with self._lock:
            self._kept[cursor] = rest
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return cursor

    def find(self, cursor: str) -> Any:
        """What was kept under a cursor; it may be asked for again.

        Raises:
            InputError: The cursor is unknown or too old.
        """
        with self._lock:
            if cursor in self._kept:
                return self._kept[cursor]
        raise InputError(
            "the cursor is unknown or too old", hint="make the call again without it", code="CURSOR_EXPIRED"
        )
