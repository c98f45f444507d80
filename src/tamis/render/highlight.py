"""Which words of a text a query's words meet."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from tamis.lexical.analysis import chunked, normalised
from tamis.lexical.terms import terms
from tamis.lexical.words import forms, pieces, run_forms
from tamis.render.style import MATCH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tamis.render.style import Style

# The language of a corpus is not a hit's to tell; both sides are stemmed alike, so that a wrong one only misses endings.
LANGUAGE = "english"
_WORD = re.compile(r"\w+")


def highlighted(text: str, query: str, style: Style) -> str:
    """The text with what the query's words meet painted: the same words as the lexical search sees them, function words not.

    In scripts without spaces it is the characters that the query has side by side.
    """
    if not style.colour:
        return text
    parts: list[str] = []
    done = 0
    for start, end in _met(text, _tokens(query)):
        parts += [text[done:start], style.paint(text[start:end], MATCH)]
        done = end
    return "".join([*parts, text[done:]])


@lru_cache(maxsize=1)
def _tokens(query: str) -> frozenset[str]:
    found = terms(query, (LANGUAGE,))
    return frozenset((*found.stems, *found.plain, *found.wholes))


def _met(text: str, tokens: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Start and end of each stretch of the text to paint, in order, none touching the next in a script without spaces."""
    place = 0
    for chunk in chunked(text):
        for piece, is_run in pieces(chunk):
            place = text.index(piece, place)
            if is_run:
                yield from ((place + start, place + end) for start, end in _grams(piece, tokens))
            elif piece.lower() in tokens:
                yield place, place + len(piece)
            else:
                yield from ((place + start, place + end) for start, end in _words(piece, tokens))
            place += len(piece)


def _words(piece: str, tokens: frozenset[str]) -> Iterator[tuple[int, int]]:
    """The words of a compound that the query has; an identifier is one word."""
    for match in _WORD.finditer(piece):
        if not tokens.isdisjoint(_forms(match.group())):
            yield match.span()


def _forms(piece: str) -> Iterator[str]:
    for token in forms(normalised(piece), LANGUAGE):
        yield from token


def _grams(run: str, tokens: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Where the run has a gram of the query; grams that overlap or touch are one stretch."""
    start = end = -1
    at = -1
    for gram in run_forms(run).stems:
        at = run.index(gram, at + 1)
        if gram not in tokens:
            continue
        if at > end >= 0:
            yield start, end
        if at > end:
            start = at
        end = at + len(gram)
    if end >= 0:
        yield start, end
