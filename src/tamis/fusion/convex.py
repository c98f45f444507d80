"""Convex combination of min-max normalised scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from tamis.fusion.ordering import best_first, checked_weights

if TYPE_CHECKING:
    from collections.abc import Sequence

Key = TypeVar("Key")


def convex(
    rankings: Sequence[Sequence[tuple[Key, float]]], weights: Sequence[float] | None = None
) -> list[tuple[Key, float]]:
    """Fuse rankings by ``Σ weight · (score − lowest) / (highest − lowest)`` over weights that sum to 1.

    Scores matter, the order inside a ranking does not. What a ranking does not hold counts 0 there, as much as its
    last; the entries of a ranking whose scores are all equal count 1. A ranking of weight 0 takes no part.

    Returns:
        Keys with fused scores from 0 to 1, score descending, keys ascending among equals.

    Raises:
        InputError: Weights that do not fit the rankings, or a negative one.
    """
    shares = checked_weights(len(rankings), weights)
    total = sum(shares)
    fused: dict[Key, float] = {}
    for ranking, share in zip(rankings, shares, strict=True):
        if share == 0 or not ranking:
            continue
        scores = [score for _, score in ranking]
        low, high = min(scores), max(scores)
        for key, score in ranking:
            place = (score - low) / (high - low) if high > low else 1.0
            fused[key] = fused.get(key, 0.0) + share / total * place
    return best_first(fused.items())
