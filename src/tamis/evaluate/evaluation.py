"""What came of running judged queries."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from tamis.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tamis.evaluate.measures import Measure


@dataclass(frozen=True, slots=True)
class QueryOutcome:
    """One query's part.

    ``found_ranks``: the ranks, from 1, at which its relevant targets came; ``relevant``: how many there are.
    ``results``: the first results, by name. ``latency_ms``: wall time of the run's call.
    """

    id: str
    query: str
    values: Mapping[Measure, float]
    found_ranks: tuple[int, ...]
    relevant: int
    results: tuple[str, ...]
    latency_ms: float


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A set-up's outcome on judged queries, in the order of the gold."""

    name: str
    measures: tuple[Measure, ...]
    queries: tuple[QueryOutcome, ...]

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

    def to_dict(self) -> dict[str, Any]:
        """For JSON: means, latencies and every query's values."""
        return {
            "name": self.name,
            "queries": len(self.queries),
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
                }
                for outcome in self.queries
            ],
        }
