"""The boosts of ``fact`` mode: an exact mention counts most, and a short passage that makes it a little more."""

from __future__ import annotations

# The seeds' own values.
EXACT_BOOST = 2.5
SHORT_BOOST = 1.15
FULL_AT_CHARS = 200
NONE_AT_CHARS = 1600


def fact_factor(query: str, text: str) -> float:
    """What a hybrid score is multiplied by: 2.5 if the text contains the query (case aside), times 1.15 for texts of up
    to 200 characters, falling to 1 at 1,600."""
    exact = EXACT_BOOST if query.strip().casefold() in text.casefold() else 1.0
    shortness = (NONE_AT_CHARS - len(text)) / (NONE_AT_CHARS - FULL_AT_CHARS)
    return exact * (1.0 + (SHORT_BOOST - 1.0) * min(1.0, max(0.0, shortness)))
