"""Which passages a model that was trained on English prose can judge."""

from __future__ import annotations

import re
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

UNREADABLE, READABLE = 0.3, 0.6
"""Share of ASCII letters among the characters that are not white space. Measured medians: English prose .92 to .98,
Python functions .82, Russian .02, Chinese .07. On the last two, taking the model's order
costs .46 to .51 nDCG@10."""

CODE_SIGNS = "{}=;_<>"  # brackets are in lists of links as well
PROSE, CODE = 0.01, 0.02
"""Share of the signs of code among the characters that are not white space. Measured medians: functions .027, files of a code
base .047, nine collections of prose less than .001. On functions, taking the model's order costs .23 nDCG@10, and a third of it
still .025."""

LOOKED_AT = 2000
"""Characters of each passage."""

_LETTERS = re.compile("[A-Za-z]+")


def readable(texts: Sequence[str]) -> float:
    """How far the texts, most of them, are in letters that the model knows: 0 for other scripts, 1 for English or code."""
    return _between(UNREADABLE, _typical(texts, _letters, when_empty=1.0), READABLE)


def in_latin(query: str) -> float:
    """How far the letters of a query are those that the model knows; 1 for one without letters."""
    letters = [char for char in query if char.isalpha()]
    return _between(UNREADABLE, sum(map(str.isascii, letters)) / len(letters), READABLE) if letters else 1.0


def prose(texts: Sequence[str]) -> float:
    """How far the texts, most of them, are prose and no code: 0 for code, 1 for prose."""
    return 1.0 - _between(PROSE, _typical(texts, _signs, when_empty=0.0), CODE)


def _typical(texts: Sequence[str], count: Callable[[str], int], when_empty: float) -> float:
    """The median over the texts of the share that what is counted has of the characters that are not white space."""
    visible = ["".join(text[:LOOKED_AT].split()) for text in texts]
    return median([count(text) / len(text) if text else when_empty for text in visible] or [when_empty])


def _letters(text: str) -> int:
    return len(text) - len(_LETTERS.sub("", text))


def _signs(text: str) -> int:
    return sum(map(text.count, CODE_SIGNS))


def _between(low: float, value: float, high: float) -> float:
    """0 at ``low`` and below, 1 at ``high`` and above."""
    return min(1.0, max(0.0, (value - low) / (high - low)))
