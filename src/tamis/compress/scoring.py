"""How well a candidate answers the query, by its words: BM25 with context, proximity and coverage."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tamis.compress.matching import Match

# BM25's saturation and length norm (Robertson and Zaragoza 2009). Sentences differ less in length than documents do
# and a longer one says more, so the norm is weaker than the usual 0.75.
K1 = 1.2
B = 0.5
# What a term around a candidate adds when the candidate holds that term itself.
REPEATED = 0.3
# Weight of the candidates' share in idf, next to the items' (see ``Pool.idf``).
UNIT_IDF = 0.25


@dataclass(slots=True)
class Pool:
    """Counts over all candidates seen: what idf and the length norm need. Its size is that of the query."""

    candidates: int = 0
    items: int = 0
    terms: int = 0
    in_candidates: Counter[str] = field(default_factory=Counter[str])
    in_items: Counter[str] = field(default_factory=Counter[str])

    def add(self, match: Match) -> None:
        self.candidates += 1
        self.terms += match.length
        self.in_candidates.update(match.own.keys())

    def end_item(self, found: Iterable[str]) -> None:
        """An item is through; ``found`` are the query terms in it."""
        self.items += 1
        self.in_items.update(found)

    def idf(self, terms: Iterable[str]) -> dict[str, float]:
        """Each term's weight.

        What was retrieved for a query holds its terms nearly everywhere, so how many items hold a term tells more
        than how many candidates do; in a single long text only the latter tells anything. Both are BM25's idf.
        """
        return {
            term: _idf(self.in_items[term], self.items)
            + UNIT_IDF * _idf(self.in_candidates[term], self.candidates)
            for term in terms
        }

    @property
    def mean_length(self) -> float:
        return self.terms / self.candidates if self.candidates else 1.0


def relevance(match: Match, idf: Mapping[str, float], mean_length: float) -> float:
    """The score of a candidate, 0 or more; comparable within one pool."""
    norm = K1 * (1 - B + B * match.length / (mean_length or 1.0))
    score = sum(idf[term] * count * (K1 + 1) / (count + norm) for term, count in match.own.items())
    for term, weight in match.around.items():
        score += idf[term] * weight * (REPEATED if term in match.own else 1.0)
    for one, other, distance in match.pairs:
        score += min(idf[one], idf[other]) / distance
    total = sum(idf.values())
    if total <= 0:
        return 0.0
    covered = sum(idf[term] for term in match.own) / total
    return score * (1 + covered)


def _idf(holding: int, total: int) -> float:
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))
