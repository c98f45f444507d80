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

    @property
    def name(self) -> tuple[str, bool]:
        """What it is, whatever its grade."""
        return self.text, self.quoted


@dataclass(frozen=True, slots=True)
class GoldQuery:
    """A query and its judgements.

    A target that is given more than once is one, with the highest of its grades: each judgement holds, in whatever order
    they come. (trec_eval and pytrec_eval refuse such qrels, ir-measures keeps the last line's grade.)
    """

    id: str
    text: str
    targets: tuple[Target, ...]

    def __post_init__(self) -> None:
        best: dict[tuple[str, bool], Target] = {}
        for target in self.targets:
            known = best.setdefault(target.name, target)
            if target.grade > known.grade:
                best[target.name] = target
        object.__setattr__(self, "targets", tuple(best.values()))

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
