"""How deep searches looked, against how deep measures do: what a search cannot bring counts as not found."""

from __future__ import annotations

from math import inf
from statistics import fmean
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tamis.evaluate import Evaluation, Measure, QueryOutcome
    from tamis.evaluate.gold import Level
    from tamis.library.request import Request
    from tamis.types import SearchResult

NEARLY: Final = 0.9
"""Of the hits that were asked for: where duplicates are left out after the ranking was cut, a few are lacking."""

OF_FIRST: Final = frozenset({"MRR", "Success"})
"""Measures to which nothing matters below the first result that is relevant."""


def looked_at(result: SearchResult, request: Request, level: Level) -> int | None:
    """How many documents or passages the search brought; ``None`` where it brought all that it found."""
    bound = request.top_k
    if request.reranker is not None:
        bound = min(bound, request.reranker.output_top_n)
    exact = request.plan.distinct is not None
    if len(result.hits) < (bound if exact else NEARLY * bound) or len(result.hits) >= result.total_chunks:
        return None
    return len({hit.path for hit in result.hits}) if level == "document" else len(result.hits)


def depth_warnings(
    done: Evaluation, looked: Sequence[int | None], levels: Collection[Level]
) -> Iterator[str]:
    """Says which measures look deeper than searches did that missed something, if any do.

    Args:
        looked: For each query what ``looked_at`` gives.
        levels: Those of the queries.
    """
    searches = [
        (count, outcome)
        for count, outcome in zip(looked, done.queries, strict=True)
        if count is not None and any(_falls_short(measure, count, outcome) for measure in done.measures)
    ]
    if searches:
        short = [count for count, _ in searches]
        least, most = min(short), max(short)
        what = next(iter(levels)) if len(levels) == 1 else "result"
        names = ", ".join(
            str(measure)
            for measure in done.measures
            if any(_falls_short(measure, count, outcome) for count, outcome in searches)
        )
        span = str(most) if least == most else f"{least} to {most}, on average {fmean(short):.0f},"
        yield (
            f"{done.name}: {names} looked at {span} {what}s in {len(short)} of {len(done.queries)} searches: "
            "they bring no more, and what is below counts as not found"
        )


def _falls_short(measure: Measure, count: int, outcome: QueryOutcome) -> bool:
    """Whether there may be below the ``count`` results what the measure, which goes deeper, lacks."""
    lacking = (
        not outcome.found_ranks if measure.family in OF_FIRST else len(outcome.found_ranks) < outcome.relevant
    )
    return lacking and count < (measure.cutoff or inf)
