"""What every fusion shares: the order of its answer and the check of its weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from tamis.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Key = TypeVar("Key")


def best_first(scores: Mapping[Key, float]) -> list[tuple[Key, float]]:
    """Entries by score descending, keys ascending among equals, so that an answer never hangs on a dict's order."""

    def place(entry: tuple[Key, float]) -> tuple[float, Any]:
        return -entry[1], entry[0]

    return sorted(scores.items(), key=place)


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
