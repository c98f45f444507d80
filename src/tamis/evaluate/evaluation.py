"""What came of running judged queries."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from tamis.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tamis.evaluate.measures import Measure
    from tamis.evaluate.shortfall import Shortfall


@dataclass(frozen=True, slots=True)
class QueryOutcome:
    """One query's part.

    ``found_ranks``: the ranks, from 1, at which what is relevant came; ``relevant``: how much there is,
    targets that one result met counting as one (see ``judge``).
    ``results``: the first results, by name. ``latency_ms``: wall time of the run's call. ``shortfall``: what the search
    did not do of what its set-up says.
    """

    id: str
    query: str
    values: Mapping[Measure, float]
    found_ranks: tuple[int, ...]
    relevant: int
    results: tuple[str, ...]
    latency_ms: float
    shortfall: Shortfall | None = None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A set-up's outcome on judged queries, in the order of the gold.

    ``level``: what one result was, for people (``Gold.level_note``).
    """

    name: str
    measures: tuple[Measure, ...]
    queries: tuple[QueryOutcome, ...]
    level: str = "document level"

    def values(self, measure: Measure) -> list[float]:
        """Each query's value.

        Raises:
            InputError: The measure was not computed.
        """
        if measure not in self.measures:
            raise InputError(
                f"{measure} was not computed", hint="computed: " + ", ".join(map(str, self.measures))
            )
        return [outcome.values[measure] for outcome in self.queries]

    def mean(self, measure: Measure) -> float:
        """The mean over the queries; raises as ``values``."""
        return fmean(self.values(measure))

    def means(self) -> dict[Measure, float]:
        return {measure: self.mean(measure) for measure in self.measures}

    def worst(self, measure: Measure, limit: int = 10) -> list[QueryOutcome]:
        """The queries of the lowest value, in the gold's order among equals; raises as ``values``."""
        values = self.values(measure)
        places = sorted(range(len(values)), key=values.__getitem__)
        return [self.queries[place] for place in places[:limit]]

    def recall_curve(self, cutoffs: Sequence[int]) -> list[float]:
        """Mean recall at each cutoff, over the queries that have something relevant."""
        judged = [outcome for outcome in self.queries if outcome.relevant]
        return [
            fmean(
                sum(rank <= cutoff for rank in outcome.found_ranks) / outcome.relevant for outcome in judged
            )
            if judged
            else 0.0
            for cutoff in cutoffs
        ]

    def latency_ms(self, quantile: float) -> float:
        """Nearest-rank quantile of the calls' wall times: .5 the median, .95 what one in twenty exceeds."""
        times = sorted(outcome.latency_ms for outcome in self.queries)
        return times[min(len(times) - 1, int(quantile * len(times)))]

    @property
    def shortfalls(self) -> list[Shortfall]:
        """Of the searches that did not do all that the set-up says, in the order of the queries."""
        return [outcome.shortfall for outcome in self.queries if outcome.shortfall is not None]

    @property
    def stands(self) -> bool:
        """Whether the values are the set-up's own: fewer than half of its searches fell short."""
        return 2 * len(self.shortfalls) < len(self.queries)

    @property
    def shortfall_note(self) -> str:
        """How many searches fell short of what, ``18 of 18 not reranked``; empty when none did."""
        found = self.shortfalls
        if not found:
            return ""
        what = {shortfall.what for shortfall in found}
        return f"{len(found)} of {len(self.queries)} {what.pop() if len(what) == 1 else 'degraded'}"

    @property
    def shortfall_reasons(self) -> dict[str, int]:
        """Why searches fell short, the most frequent reason first, with how many."""
        return dict(Counter(shortfall.reason for shortfall in self.shortfalls).most_common())

    def to_dict(self) -> dict[str, Any]:
        """For JSON: means, latencies, every query's values, and which searches fell short of their set-up."""
        return {
            "name": self.name,
            "queries": len(self.queries),
            "level": self.level,
            "degraded": len(self.shortfalls),
            "degrade_reasons": self.shortfall_reasons,
            "means": {str(measure): self.mean(measure) for measure in self.measures},
            "latency_ms": {"median": self.latency_ms(0.5), "p95": self.latency_ms(0.95)},
            "per_query": [
                {
                    "id": outcome.id,
                    "query": outcome.query,
                    "values": {str(measure): value for measure, value in outcome.values.items()},
                    "found_ranks": list(outcome.found_ranks),
                    "relevant": outcome.relevant,
                    "results": list(outcome.results),
                    "latency_ms": outcome.latency_ms,
                    "degraded": outcome.shortfall and outcome.shortfall.what,
                }
                for outcome in self.queries
            ],
        }
