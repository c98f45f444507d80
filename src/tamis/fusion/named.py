"""The fusions of the two sides, by the name that a user gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from tamis.fusion.adaptive import adaptive
from tamis.fusion.convex import convex
from tamis.fusion.rrf import rrf

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tamis.fusion.sides import Sides

Key = TypeVar("Key")


class Fusion(Protocol):
    """Makes one ranking of two sides.

    ``weights`` has the lexical and the dense weight, both 1 when left out. Answers keys with scores of 0 or more, score
    descending, keys ascending among equals.
    """

    def __call__(
        self, sides: Sides[Key], weights: Sequence[float] | None = None
    ) -> list[tuple[Key, float]]: ...


def plain_rrf(sides: Sides[Key], weights: Sequence[float] | None = None) -> list[tuple[Key, float]]:
    """Reciprocal ranks in the two rankings as they were retrieved, k = 60; see ``rrf``."""
    return rrf([sides.lexical, sides.dense], weights)


def min_max(sides: Sides[Key], weights: Sequence[float] | None = None) -> list[tuple[Key, float]]:
    """Min-max normalised scores, with the cosines of all candidates; see ``convex``."""
    return convex([sides.lexical, [*sides.dense, *sides.beside]], weights)


FUSIONS: Final[Mapping[str, Fusion]] = {"default": adaptive, "rrf": plain_rrf, "convex": min_max}
