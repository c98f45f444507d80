"""What every fusion shares: the order of its answer and the check of its weights."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeVar

from tamis.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Key = TypeVar("Key")


def best_first(scored: Iterable[tuple[Key, float]]) -> list[tuple[Key, float]]:
    """By score descending, keys ascending among equals, so that an answer never hangs on a dict's order."""
    key: Any = itemgetter(0)  # whatever is compared here can be
    return sorted(sorted(scored, key=key), key=itemgetter(1), reverse=True)


def checked_weights(rankings: int, weights: Sequence[float] | None) -> list[float]:
    """The weights, all 1 when there are none.

    Raises:
        InputError: Not one for each ranking, or one that is negative or no number.
    """
    if weights is None:
        return [1.0] * rankings
    if len(weights) != rankings:
        raise InputError(
            f"{rankings} rankings and {len(weights)} weights", hint="give one weight for each ranking"
        )
    if not all(0 <= weight < float("inf") for weight in weights):
        raise InputError("a fusion weight is negative or no number", hint="weights are 0 or more")
    return list(weights)
