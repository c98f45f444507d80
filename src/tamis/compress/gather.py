"""All candidates of all items, matched to the query; only as many are held as may come into the result."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tamis.compress.matching import Match, Matcher
from tamis.compress.scoring import Pool, relevance
from tamis.compress.units import candidates

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tamis.compress.blocks import Flavour
    from tamis.compress.units import Room
    from tamis.compress.values import CompressItem

# At least so many candidates are held; beyond that one for every few tokens of the budget, several times what fits.
MIN_HELD = 8_192
TOKENS_FOR_EACH_HELD = 4


@dataclass(slots=True)
class Gathered:
    """The candidates of all items.

    ``matches`` holds, for each item, those that may come into the result, in reading order; ``totals`` how many
    candidates each item has in all.
    """

    pool: Pool = field(default_factory=Pool)
    matches: list[list[Match]] = field(default_factory=list["list[Match]"])
    totals: list[int] = field(default_factory=list[int])


class Gatherer:
    """Reads item after item. Memory grows with the budget and the number of items, not with their length."""

    def __init__(self, query: str, max_tokens: int) -> None:
        self.matcher = Matcher(query)
        self.gathered = Gathered()
        self._limit = max(MIN_HELD, max_tokens // TOKENS_FOR_EACH_HELD)
        self._held = 0

    def read(self, item: CompressItem, lines: Iterable[str], flavour: Flavour, room: Room) -> None:
        """Take in the next item's text; ``room`` is what there is for each candidate of it."""
        gathered = self.gathered
        held: list[Match] = []
        gathered.matches.append(held)
        found: set[str] = set()
        total = 0
        parts = candidates(lines, flavour, len(gathered.totals), item.heading_path, room=room)
        for match in self.matcher.matches(parts, item.title):
            gathered.pool.add(match)
            found.update(match.own)
            held.append(match)
            total += 1
            self._held += 1
            if self._held > 2 * self._limit:
                self._prune()
        gathered.totals.append(total)
        gathered.pool.end_item(found)

    def relevances(self) -> list[list[float]]:
        """The relevance of every candidate held, by item."""
        pool = self.gathered.pool
        idf = pool.idf(self.matcher.terms)
        return [[relevance(match, idf, pool.mean_length) for match in row] for row in self.gathered.matches]

    def _prune(self) -> None:
        """Let go of the weakest half. What idf says by now is close to what it will say in the end."""
        scored = [
            (score, -match.candidate.item, -match.candidate.number)
            for row, scores in zip(self.gathered.matches, self.relevances(), strict=True)
            for match, score in zip(row, scores, strict=True)
        ]
        scored.sort(reverse=True)
        staying = {(-item, -number) for _, item, number in scored[: self._limit]}
        for row in self.gathered.matches:
            row[:] = [match for match in row if (match.candidate.item, match.candidate.number) in staying]
        self._held = len(staying)
