"""A search of one corpus: view → filter → both sides → fuse → hits."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from tamis.search.collapse import distinct, of_scored
from tamis.search.combine import rank
from tamis.search.hits import head, make_hits, ordered
from tamis.search.query_vector import QueryVector
from tamis.search.scope import Scopes, scopes_key
from tamis.search.view import view
from tamis.types import SearchResult

if TYPE_CHECKING:
    from tamis.search.combine import Ranking
    from tamis.search.plan import Plan
    from tamis.search.scope import Scope
    from tamis.search.view import Searchable, View
    from tamis.types import ChunkRow, Vectors

# Indexes that move in the middle of a search send it back to its start; a busy writer moves them some times a second.
STARTS = 10
# Passages ranked where many overlap, so many times as many at each step.
MOST_RANKED = 1000
DEEPER = 4
NO_WORDS = (
    "the index of words cannot be used: another process rebuilds it, or this user may not read or rebuild it"
)


class Engine:
    """Searches of one corpus. Safe to use from threads."""

    def __init__(self, searchable: Searchable) -> None:
        self._searchable = searchable
        self._scopes: Scopes | None = None

    def search(self, plan: Plan) -> SearchResult:
        """The best ``plan.limit`` hits, or the best ``plan.distinct`` that differ.

        Raises:
            FilterError: The filter is malformed.
            BackendError, EmbedError: In semantic mode, the query cannot be embedded. The other modes go on without their
                dense side and say so.
        """
        wanted = QueryVector(self._searchable, plan) if plan.needs_dense else None
        for start in range(STARTS):
            with view(self._searchable, wanted and wanted.begin) as taken:
                vector, problem = wanted.get(taken.snapshot.manifest) if wanted else (None, None)
                result = self._answer(taken, plan, self._current(taken), vector, problem)
                if taken.steady or start == STARTS - 1:
                    return result
        raise AssertionError("unreachable")  # pragma: no cover

    def _current(self, taken: View) -> Scopes:
        scopes = self._scopes
        if scopes is None or scopes.key != scopes_key(taken.snapshot):
            scopes = self._scopes = Scopes(taken.snapshot)
        return scopes

    def _answer(
        self, taken: View, plan: Plan, scopes: Scopes, vector: Vectors | None, problem: str | None
    ) -> SearchResult:
        snapshot, manifest = taken.snapshot, taken.snapshot.manifest
        scope = scopes.scope(snapshot, plan.filter)
        warnings = [problem] if problem else []
        blank = not plan.query.strip()  # nothing is looked for, so nothing can be missing
        if plan.needs_lexical and not taken.lexical and scope.totals.chunks and not blank:
            problem = NO_WORDS
            warnings.append(problem)
        coverage = scope.totals.coverage(taken.vectors) if plan.needs_dense else None
        if coverage is not None and coverage < 1.0 and not blank:
            warnings.append(
                f"{math.floor(coverage * 100)}% of the corpus has vectors, and what has none is found by its words only: "
                f"run tamis embed {manifest.name}"
            )
        ranking, found = _found(taken, plan, scopes, vector)
        hits = make_hits(
            manifest.name, plan, found, ranking.breakdowns(taken, plan, [chunk.id for chunk, _ in found])
        )
        return SearchResult(
            hits=hits,
            corpus_name=manifest.name,
            model_version=manifest.model_version,
            total_chunks=scope.totals.chunks,
            mode=plan.mode,
            weak=not hits,
            reason=None if hits else _reason(plan, scope, taken),
            filter_applied=scope.applied,
            dense_coverage=coverage,
            model_use=manifest.fingerprint.use if manifest.fingerprint and vector is not None else None,
            degraded=problem is not None,
            degrade_reason=problem,
            warnings=tuple(warnings),
        )


def _found(
    taken: View, plan: Plan, scopes: Scopes, vector: Vectors | None
) -> tuple[Ranking, list[tuple[ChunkRow, float]]]:
    """The ranking and what of it is shown, best first; more is looked at where too much shows the same passage again."""
    while True:
        ranking = rank(taken, plan, scopes, vector)
        found = _best(taken, ranking, plan.limit)
        if plan.distinct is None:
            return ranking, found
        kept = list(islice(distinct(found, of_scored), plan.distinct))
        if len(kept) < plan.distinct and len(ranking.fused) > plan.limit:
            found = _best(taken, ranking, len(ranking.fused))
            kept = list(islice(distinct(found, of_scored), plan.distinct))
        if len(kept) == plan.distinct or len(ranking.fused) <= plan.limit or plan.limit >= MOST_RANKED:
            return ranking, kept
        plan = replace(plan, limit=DEEPER * plan.limit)


def _best(taken: View, ranking: Ranking, limit: int) -> list[tuple[ChunkRow, float]]:
    best = head(ranking.fused, limit)
    return ordered(best, taken.snapshot.chunks([key for key, _ in best]))[:limit]


def _reason(plan: Plan, scope: Scope, taken: View) -> str:
    if not plan.query.strip():
        return "the query is blank"
    if scope.totals.chunks == 0:
        return "nothing is indexed yet"
    if plan.needs_lexical and not plan.needs_dense and not taken.lexical:
        return NO_WORDS
    if scope.applied is not None and scope.applied.kept == 0:
        return "the filter keeps nothing"
    return "nothing matches"
