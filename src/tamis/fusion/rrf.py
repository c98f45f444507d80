"""Reciprocal rank fusion: what two rankings agree on rises, whatever their scores mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from tamis.errors import InputError
from tamis.fusion.ordering import best_first, checked_weights

if TYPE_CHECKING:
    from collections.abc import Sequence

Key = TypeVar("Key")

RRF_K: Final = 60
"""Cormack, Clarke and Buettcher (SIGIR 2009), who found it good over TREC collections and not critical."""


def rrf(
    rankings: Sequence[Sequence[tuple[Key, float]]],
    weights: Sequence[float] | None = None,
    k: float = RRF_K,
) -> list[tuple[Key, float]]:
    """Fuse rankings by ``Σ weight / (k + rank)``, ranks counted from 1.

    Only the order inside each ranking matters, not its scores. A ranking of weight 0 takes no part: what only it
    holds is left out. When a ranking holds a key twice, its best place counts.

    Args:
        rankings: Each best first; keys are hashable and, for the order among equals, comparable.
        weights: One for each ranking, not negative; all 1 when left out.
        k: How slowly a lower rank loses worth; positive.

    Returns:
        Keys with their fused scores, score descending, keys ascending among equals.

    Raises:
        InputError: Weights that do not fit the rankings, a negative weight, or ``k`` not positive.
    """
    shares = checked_weights(len(rankings), weights)
    if not k > 0:
        raise InputError(f"RRF's k is {k}", hint=f"k is positive; {RRF_K} is usual")
    fused: dict[Key, float] = {}
    for ranking, share in zip(rankings, shares, strict=True):
        if share == 0:
            continue
        seen: set[Key] = set()
        for rank, (key, _) in enumerate(ranking, 1):
            if key not in seen:
                seen.add(key)
                fused[key] = fused.get(key, 0.0) + share / (k + rank)
    return best_first(fused.items())
