"""What ought to be found: queries, each with the targets that answer it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["document", "passage"]


@dataclass(frozen=True, slots=True)
class Target:
    """Something relevant to a query.

    ``text`` is a path, ``path#heading``, a chunk's id, a document's id in a test collection, or, when ``quoted``, words
    of the passage that answers. ``grade`` 1 is relevant, more is better, 0 is judged and not relevant.
    """

    text: str
    grade: int = 1
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class GoldQuery:
    id: str
    text: str
    targets: tuple[Target, ...]

    @property
    def relevant(self) -> tuple[Target, ...]:
        """The targets of a grade above 0."""
        return tuple(target for target in self.targets if target.grade > 0)


@dataclass(frozen=True, slots=True)
class Gold:
    """Judged queries.

    ``level`` says what one result is: at ``document`` level the passages of a file count as one, at the place of the
    best; at ``passage`` level each counts.
    """

    queries: tuple[GoldQuery, ...]
    level: Level = "document"
