"""Which passages a model that was trained on English prose can judge."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

UNREADABLE, READABLE = 0.3, 0.6
"""Share of ASCII letters among the characters that are not white space. Measured medians: English prose .92 to .98,
Python functions .82, Russian .02, Chinese .07. On the last two, taking the model's order
costs .46 to .51 nDCG@10."""

CODE_SIGNS = frozenset("{}=;_<>")  # brackets are in lists of links as well
PROSE, CODE = 0.01, 0.02
"""Share of the signs of code among the characters that are not white space. Measured medians: functions .027, files of a code
base .047, nine collections of prose less than .001. On functions, taking the model's order costs .23 nDCG@10, and a third of it
still .025."""

LOOKED_AT = 2000
"""Characters of each passage."""


def readable(texts: Sequence[str]) -> float:
    """How far the texts, most of them, are in letters that the model knows: 0 for other scripts, 1 for English or code."""
    typical = _typical(texts, _is_letter, when_empty=1.0)
    return _between(UNREADABLE, typical, READABLE)


def prose(texts: Sequence[str]) -> float:
    """How far the texts, most of them, are prose and no code: 0 for code, 1 for prose."""
    return 1.0 - _between(PROSE, _typical(texts, CODE_SIGNS.__contains__, when_empty=0.0), CODE)


def _typical(texts: Sequence[str], kind: Callable[[str], bool], when_empty: float) -> float:
    """The median over the texts of the share that characters of this kind have of those that are not white space."""
    return median([_share(text[:LOOKED_AT], kind, when_empty) for text in texts] or [when_empty])


def _share(text: str, kind: Callable[[str], bool], when_empty: float) -> float:
    visible = "".join(text.split())
    return sum(map(kind, visible)) / len(visible) if visible else when_empty


def _is_letter(char: str) -> bool:
    return char.isascii() and char.isalpha()


def _between(low: float, value: float, high: float) -> float:
    """0 at ``low`` and below, 1 at ``high`` and above."""
    return min(1.0, max(0.0, (value - low) / (high - low)))
