"""Two texts with known vectors, at both ends of a batch: they tell whether rows came back in order, from the same model."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

# Two different ones: reversing a batch would put one in the place of the other, sorting it by length both to one end.
FIRST = "A canary sings at the head of the line."
LAST = "The tail of the line is grey; a mouse sits there."
# Rounding moves a vector by far less; two texts' vectors, or two models' of one text, are further apart.
SAME = 0.98


def same(a: Sequence[Any] | None, b: Sequence[float]) -> bool:
    """Whether two rows point the same way; a row that cannot be used does not."""
    if a is None or len(a) != len(b):
        return False
    try:
        inner = math.fsum(x * y for x, y in zip(a, b, strict=True))
        lengths = math.sqrt(math.fsum(x * x for x in a) * math.fsum(y * y for y in b))
    except TypeError:
        return False
    return lengths > 0 and inner / lengths >= SAME
