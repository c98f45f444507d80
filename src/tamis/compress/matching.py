"""Which query terms each candidate holds, itself and around it."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from tamis.compress.terms import is_stop, query_terms, terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tamis.compress.units import Candidate

# How much of a term's weight reaches a candidate from the candidate before, from the one after, and from the
# headings and title above it. Set on the halves of the benchmark's questions that tune (benchmarks/compress).
FROM_BEFORE = 0.3
FROM_AFTER = 0.15
FROM_ABOVE = 0.5
# Two query terms count as near each other when at most so many terms apart.
NEAR = 4


@dataclass(slots=True, eq=False)
class Match:
    """A candidate and the query terms that it holds (term → occurrences), or that stand around it (term → weight).

    ``pairs`` are distinct pairs of different query terms that follow each other closely, with their distance; stop words
    do not count for it.
    ``length`` counts all its terms.
    """

    candidate: Candidate
    own: dict[str, int]
    pairs: tuple[tuple[str, str, int], ...]
    length: int
    around: dict[str, float] = field(default_factory=dict[str, float])


class Matcher:
    """Matches candidates against one query."""

    def __init__(self, query: str) -> None:
        self.terms = tuple(query_terms(query))
        self._wanted = frozenset(self.terms)

    def matches(self, candidates: Iterable[Candidate], title: str = "") -> Iterator[Match]:
        """The matches of one item's candidates, in order; looks one candidate ahead."""
        above: dict[tuple[str, ...], frozenset[str]] = {}
        before: Match | None = None
        earlier: Match | None = None
        for candidate in candidates:
            match = self.match(candidate)
            path = candidate.heading_path
            if path not in above:
                above = {path: self._wanted.intersection(terms(" ".join((title, *path))))}
            match.around = dict.fromkeys(above[path], FROM_ABOVE)
            if before:
                _lend(before, match, FROM_BEFORE)
                _lend(match, before, FROM_AFTER)
                if earlier:
                    yield earlier
            earlier, before = before, match
        if earlier:
            yield earlier
        if before:
            yield before

    def match(self, candidate: Candidate) -> Match:
        """One candidate's own terms."""
        found = terms(candidate.text)
        own: dict[str, int] = {}
        places: list[tuple[int, str]] = []
        if not self._wanted.isdisjoint(found):
            place = 0
            for term in found:
                if term in self._wanted:
                    own[term] = own.get(term, 0) + 1
                    places.append((place, term))
                place += not is_stop(term)
        return Match(candidate, own, _pairs(places) if len(own) > 1 else (), len(found))


def _lend(giver: Match, taker: Match, weight: float) -> None:
    for term in giver.own:
        if taker.around.get(term, 0.0) < weight:
            taker.around[term] = weight


def _pairs(places: list[tuple[int, str]]) -> tuple[tuple[str, str, int], ...]:
    nearest: dict[tuple[str, str], int] = {}
    for (first, one), (second, other) in pairwise(places):
        distance = max(1, second - first)
        if one != other and distance <= NEAR and distance < nearest.get((one, other), NEAR + 1):
            nearest[one, other] = distance
    return tuple((one, other, distance) for (one, other), distance in nearest.items())
