"""Run judged queries through anything that ranks."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Final

from tamis.errors import InputError
from tamis.evaluate.asking import ask
from tamis.evaluate.evaluation import Evaluation, QueryOutcome
from tamis.evaluate.gold import shortened
from tamis.evaluate.matching import judge
from tamis.evaluate.measures import DEFAULT_MEASURES, compute, measuring_library
from tamis.evaluate.shortfall import shortfall_of
from tamis.types import SearchResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.evaluate.asking import Run
    from tamis.evaluate.gold import Gold, GoldQuery
    from tamis.evaluate.measures import Measure
    from tamis.types import Hit

KEPT_RESULTS: Final = 10
"""Results named in an outcome: enough to see what came instead of what was wanted."""


def evaluate(
    run: Run,
    gold: Gold,
    measures: Sequence[Measure] = DEFAULT_MEASURES,
    *,
    name: str = "run",
) -> Evaluation:
    """Measure a ranking function.

    Args:
        run: From a query to its results, best first: hits, or names as the gold spells them. Return as many as the
            deepest measure looks at. A search's whole result also tells whether it did all that it should.
        gold: What ought to be found. Queries without a relevant target are left out, as trec_eval does.
        measures: What to compute.
        name: What to call the set-up.

    Raises:
        InputError: The gold has no query with a relevant target or two queries of one id, there is no measure, or the
            function returned something that is no ranking.
        MissingExtraError: The extra ``eval`` is not installed.
        TamisError: The function raised it, or something else, which is its cause. The message names the query.
    """
    queries = judged_queries(gold)
    if not measures:
        raise InputError("no measure to compute", hint="name one, such as nDCG@10")
    measuring_library()
    found: list[Sequence[str | Hit] | SearchResult] = []
    times: list[float] = []
    for query in queries:
        begun = perf_counter()
        found.append(ask(run, query))
        times.append((perf_counter() - begun) * 1000)
    rankings = [result.hits if isinstance(result, SearchResult) else result for result in found]
    short = [shortfall_of(result) if isinstance(result, SearchResult) else None for result in found]
    judged = [judge(ranking, query, gold.level) for ranking, query in zip(rankings, queries, strict=True)]
    values = compute(measures, judged)
    outcomes = tuple(
        QueryOutcome(
            id=query.id,
            query=query.text,
            values=values[place],
            found_ranks=judged[place].found_ranks,
            relevant=judged[place].relevant,
            results=tuple(_name(result) for result in rankings[place][:KEPT_RESULTS]),
            latency_ms=times[place],
            shortfall=short[place],
        )
        for place, query in enumerate(queries)
    )
    return Evaluation(name, tuple(measures), outcomes, gold.level_note)


def judged_queries(gold: Gold) -> list[GoldQuery]:
    """The queries that have a relevant target.

    Raises:
        InputError: There is none, or two have one id, by which their values would be confused.
    """
    queries = [query for query in gold.queries if query.relevant]
    if not queries:
        raise InputError("the gold has no query with a relevant target", hint="name a target for each query")
    seen: dict[str, GoldQuery] = {}
    for query in queries:
        if (other := seen.setdefault(query.id, query)) is not query:
            raise InputError(
                f"two queries have the id {query.id!r}: {shortened(other.text)} and {shortened(query.text)}",
                hint="give each query an id of its own",
            )
    return queries


def _name(result: str | Hit) -> str:
    if isinstance(result, str):
        return result
    return "#".join((result.path, *result.heading_path[-1:]))
