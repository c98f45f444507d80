"""The part of a passage that a hit shows."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

_WORD = re.compile(r"\w+")
_GAP = re.compile(r"\W")
MIN_TERM = 3
CONTEXT = 40  # characters shown before the first match


def preview(text: str, query: str, chars: int) -> str:
    """At most ``chars`` characters of the text, verbatim: its beginning, or where most of the query's words are met."""
    if len(text) <= chars:
        return text
    terms = _terms(query)
    lowered = text.lower()
    if not terms or len(lowered) != len(
        text
    ):  # a few capitals are longer in lower case: places would not fit
        return _from_word(text, 0, chars)
    places = sorted((place, term) for term in terms for place in _places(lowered, term))
    starts = [place for place, _ in places]
    best, most = 0, 0
    for index, start in enumerate([0, *(max(0, place - CONTEXT) for place in starts)]):
        first = index if index == 0 else bisect_left(starts, start)
        seen = len({word for _, word in places[first : bisect_left(starts, start + chars)]})
        if seen > most:
            best, most = start, seen
    return _from_word(text, best, chars)


@lru_cache(maxsize=64)
def _terms(query: str) -> frozenset[str]:
    return frozenset(word for word in _WORD.findall(query.lower()) if len(word) >= MIN_TERM)


def _places(text: str, term: str) -> Generator[int]:
    """Where words begin with ``term``. Finding each term is some ten times as fast as one pattern of all."""
    place = text.find(term)
    while place >= 0:
        if place == 0 or not _WORD.match(text[place - 1]):
            yield place
        place = text.find(term, place + len(term))


def _from_word(text: str, start: int, chars: int) -> str:
    """The window from ``start``, moved on to the beginning of a word and cut at the end of one where there is one."""
    if start > 0 and text[start - 1].isalnum():
        gap = _GAP.search(text, start, start + CONTEXT)
        start = gap.end() if gap else start
    window = text[start : start + chars]
    if start + chars < len(text) and text[start + chars].isalnum() and window and window[-1].isalnum():
        cut = max(window.rfind(" "), window.rfind("\n"))
        window = window[:cut] if cut > chars // 2 else window
    return window
