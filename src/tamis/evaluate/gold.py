"""What ought to be found: queries, each with the targets that answer it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final, Literal

Level = Literal["document", "passage"]

SHOWN: Final = 100
"""Characters of a text in a message."""

_CHUNK_ID: Final = re.compile(r"[A-Za-z0-9_-]+:[0-9]+")


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

    @property
    def shown(self) -> str:
        """It as a message shows it: a quotation in quotes, and of a long one the beginning."""
        text = self.text if len(self.text) <= SHOWN else f"{self.text[: SHOWN - 1]}…"
        return f'"{text}"' if self.quoted else text

    @property
    def of_passage(self) -> bool:
        """Whether it looks like less than a document: a quotation, a chunk's id, or a name with ``#``."""
        return self.quoted or "#" in self.text or _CHUNK_ID.fullmatch(self.text) is not None


@dataclass(frozen=True, slots=True)
class GoldQuery:
    """A query and its judgements.

    A target that is given more than once is one, with the highest of its grades: each judgement holds, in whatever order
    they come. (trec_eval and pytrec_eval refuse such qrels, ir-measures keeps the last line's grade.)

    ``level``: what one result is for this query; ``None`` where that is as the whole gold has it.
    """

    id: str
    text: str
    targets: tuple[Target, ...]
    level: Level | None = None

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
    best; at ``passage`` level each counts. A query may have a level of its own: what it is worth does not hang on others.
    """

    queries: tuple[GoldQuery, ...]
    level: Level = "document"

    @property
    def level_note(self) -> str:
        """The level, or how many of the queries that have something relevant are at each, for people."""
        counts = Counter(query.level or self.level for query in self.queries if query.relevant)
        if len(counts) < 2:
            return f"{next(iter(counts), self.level)} level"
        return f"{counts['document']} at document level, {counts['passage']} at passage level"
