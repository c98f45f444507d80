"""Keeping what the first stage knew when a reranker gives a new order."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

MODEL_BLEND = 0.5
RRF_K = 60


def blended(scores: Sequence[float], weight: float) -> list[float]:
    """Interim."""
    if weight == 0:
        return list(scores)
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    rank = {i: r for r, i in enumerate(order, 1)}
    return [(1 - weight) / (RRF_K + rank[i]) + weight / (RRF_K + i + 1) for i in range(len(scores))]
