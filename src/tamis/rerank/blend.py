"""Keeping what the first stage knew when a reranker gives a new order.

A reranker that replaces the order loses where the first stage knew better, and rank fusion forgets how sure either of
them was. So their scores are added, each on its own scale:

- the first stage's, from the lowest to the highest of the candidates as 0 to 1;
- the reranker's, as 1 less the distance below its best, in units of the driver's ``score_span``: candidates that the
  model finds about equal stay as the first stage had them, instead of being spread over a whole scale.

So 1 is a candidate that both find the best.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

HOSTED_BLEND = 0.3
"""For models that could not be measured here: a guess, below the local model's, which is much smaller than they are."""


def blended(first: Sequence[float], scores: Sequence[float], share: float, span: float | None) -> list[float]:
    """What to sort by; higher is better.

    Args:
        first: The first stage's scores; finite.
        scores: The reranker's scores of the same candidates; finite.
        share: How much the first stage counts, 0 to 1.
        span: Difference in the reranker's score between a passage that answers and one about something else; where it
            is not known, the difference between the highest and the lowest at hand.

    Returns:
        At a share of 0, and where the first stage makes no difference between the candidates, the reranker's scores.
    """
    if share == 0 or not is_ranking(first):
        return list(scores)
    lowest, spread = min(first), max(first) - min(first)
    best = max(scores)
    unit = span or (best - min(scores)) or 1.0
    return [
        share * (place - lowest) / spread + (1.0 - share) * (1.0 + (score - best) / unit)
        for place, score in zip(first, scores, strict=True)
    ]


def is_ranking(first: Sequence[float]) -> bool:
    """Whether there was a first stage at all: plain documents come without scores."""
    return bool(first) and max(first) > min(first)
