"""Which passages a model that was trained on English can judge."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

UNREADABLE, READABLE = 0.3, 0.6
"""Share of ASCII letters among the characters that are not white space. Measured medians: English prose .92 to .98,
Python functions .82, Russian .02, Chinese .07. On the last two, taking the model's order
costs .46 to .51 nDCG@10."""

LOOKED_AT = 2000
"""Characters of each passage."""


def readable(texts: Sequence[str]) -> float:
    """How far the texts, most of them, are in letters that the model knows: 0 for other scripts, 1 for English or code."""
    shares = [_letters(text[:LOOKED_AT]) for text in texts]
    typical = median(shares) if shares else 1.0
    return min(1.0, max(0.0, (typical - UNREADABLE) / (READABLE - UNREADABLE)))


def _letters(text: str) -> float:
    visible = "".join(text.split())
    return sum(char.isascii() and char.isalpha() for char in visible) / len(visible) if visible else 1.0
