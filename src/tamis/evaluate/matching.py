"""Which target a result meets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from tamis.evaluate.naming import headed_names, is_anchor, is_heading, names_of, plain_name
from tamis.evaluate.quoting import Passage, plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tamis.evaluate.gold import GoldQuery, Level, Target
    from tamis.types import Hit


@dataclass(frozen=True, slots=True)
class Judged:
    """A ranking as it is measured.

    ``answers``: what there was to be found, with its grade; ``ranking``: for each result that counts, best first, the index
    of the answer that it is, or ``None``.
    """

    answers: tuple[Target, ...]
    ranking: tuple[int | None, ...]

    @property
    def relevant(self) -> int:
        """Answers of a grade above 0."""
        return sum(answer.grade > 0 for answer in self.answers)

    @property
    def found_ranks(self) -> tuple[int, ...]:
        """The ranks, from 1, of the results that are relevant."""
        return tuple(
            rank
            for rank, index in enumerate(self.ranking, 1)
            if index is not None and self.answers[index].grade > 0
        )


def judge(results: Iterable[str | Hit], query: GoldQuery, level: Level) -> Judged:
    """What a ranking found of what a query's targets ask for.

    What is judged is a result, as in TREC, where a document has one grade. So targets that one result meets and no better
    one met are one answer, with the highest of their grades: three sentences of one passage are found when the passage is,
    at its rank, and the ideal ranking has that one passage for them; two names of one file are one file. Targets that
    nothing met count each by itself, since nothing tells which of them one passage would have met. Where every result meets
    one target at most, as in a test collection, the answers are the judgements as they stand.

    A result that only repeats does not count and is left out: one that meets nothing but what was found before, the same
    result twice and, at document level, a further passage of a document that met nothing. A file that merely has the name of
    one that was found before is no repetition: it is not what was meant.
    """
    level = query.level or level
    answers: list[Target] = []
    ranking: list[int | None] = []
    found_in: dict[int, str] = {}
    missed: set[str] = set()
    for result in results:
        met = [index for index, target in enumerate(query.targets) if meets(result, target)]
        free = [query.targets[index] for index in met if index not in found_in]
        if free:
            ranking.append(len(answers))
            answers.append(max(free, key=lambda target: target.grade))
            found_in = dict.fromkeys(met, _unit(result, "document")) | found_in
        elif any(
            query.targets[index].quoted or found_in[index] == _unit(result, "document") for index in met
        ):
            continue
        elif (unit := _unit(result, level)) not in missed:
            missed.add(unit)
            ranking.append(None)
    left = [target for index, target in enumerate(query.targets) if index not in found_in]
    return Judged((*answers, *left), tuple(ranking))


def meets(result: str | Hit, target: Target) -> bool:
    """Whether a result is what a target names.

    A string meets the target of the same text. A hit meets its id; its path, whole, from any folder on, or the file's
    name without its ending (a test collection's ids become file names); such a path with ``#`` and one of its headings
    (spelled out, or as a link's anchor); and a quotation that its text holds (see ``Passage.holds``).
    """
    if isinstance(result, str):
        return not target.quoted and result == target.text
    if target.quoted:
        return _passage(result.text).holds(_quotation(target.text))
    names = names_of(result.path)
    if target.text == result.id or plain_name(target.text) in names:
        return True
    return any(
        file in names and any(is_heading(name, each) or is_anchor(name, each) for each in result.heading_path)
        for file, name in headed_names(target.text)
    )


# A result is held against each of a query's targets in turn, and these against each result.
_passage = lru_cache(maxsize=1)(Passage)
_quotation = lru_cache(maxsize=256)(plain)


def _unit(result: str | Hit, level: Level) -> str:
    if isinstance(result, str):
        return result
    return result.path if level == "document" else result.id
