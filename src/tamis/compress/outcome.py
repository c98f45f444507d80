"""What a level makes of the sources, before it is written out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tamis.compress.assemble import Body
    from tamis.compress.units import Candidate


@dataclass(frozen=True, slots=True)
class Outcome:
    """By item: the text that is kept of it, the parts in that text in reading order, and which items are whole.

    ``scores`` has the relevance that a part was chosen by.
    """

    bodies: Mapping[int, Body]
    parts: Mapping[int, list[Candidate]]
    whole: set[int]
    scores: Mapping[Candidate, float] = field(default_factory=dict["Candidate", float])
    warnings: tuple[str, ...] = ()
