"""What a model that was trained on English questions and prose can judge."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

NO_PROSE, PROSE = 0.82, 0.92
"""Share of ASCII letters among the characters that are not white space. Measured medians: encyclopaedia, abstracts,
news, dialogue and documentation .92 to .98, Python functions .82, Russian .02, Chinese .07."""

LOOKED_AT = 2000
"""Characters of each passage."""


def english_prose(texts: Sequence[str]) -> float:
    """How much the texts, most of them, look like English prose: 0 for code and for other scripts, 1 for prose."""
    shares = [_letters(text[:LOOKED_AT]) for text in texts]
    typical = median(shares) if shares else 1.0
    return min(1.0, max(0.0, (typical - NO_PROSE) / (PROSE - NO_PROSE)))


def _letters(text: str) -> float:
    visible = "".join(text.split())
    return sum(char.isascii() and char.isalpha() for char in visible) / len(visible) if visible else 1.0
