"""Carrying out a request: each corpus → fusion across corpora → rerank → collapse → min_score → top_k."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tamis.library.drivers import driver
from tamis.search.across import merge
from tamis.search.collapse import collapse

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from tamis.config import Config
    from tamis.library.request import Request
    from tamis.library.wiring import Wired
    from tamis.ports import Reranker
    from tamis.rerank import RerankPlan, RerankReport
    from tamis.types import Hit, SearchResult, Vectors


@dataclass(frozen=True, slots=True)
class Outline:
    """What a request would do. ``candidates``: what its corpora bring at most; ``rerank``: what becomes of them."""

    request: Request
    candidates: int
    rerank: RerankPlan | None = None


class Searching:
    """Carries out requests for the corpora of one home folder."""

    def __init__(self, home: Path, config: Config, wired: Callable[[str], Wired]) -> None:
        self._home = home
        self._config = config
        self._wired = wired

    def outline(self, request: Request) -> Outline:
        """What the request would do; nothing is searched.

        Raises:
            CorpusNotFoundError: A corpus of the request does not exist.
            ConfigError, InputError: The reranker or its options make no sense.
        """
        candidates = request.plan.limit * len([self._wired(name) for name in request.corpora])
        if request.reranker is None:
            return Outline(request, candidates)
        from tamis.rerank import plan_rerank

        made = driver(request.reranker.driver, self._config)
        return Outline(
            request, candidates, plan_rerank(made, request.reranker, candidates, request.plan.query)
        )

    def run(self, request: Request) -> SearchResult:
        """The answer.

        Raises:
            CorpusNotFoundError: A corpus of the request does not exist; nothing is searched.
            FilterError, BackendError, EmbedError: As ``Engine.search``.
            ConfigError, InputError: The reranker or its options make no sense.
        """
        corpora = [self._wired(name) for name in request.corpora]
        reranker = None if request.reranker is None else driver(request.reranker.driver, self._config)
        results = [wired.engine.search(request.plan) for wired in corpora]
        result = results[0]
        if len(results) > 1:
            limit = request.plan.limit if request.reranker is None else request.reranker.input_top_n
            result = merge(results, request.corpus_weights, max(limit, request.top_k))
        if reranker is not None:
            result = self._reranked(request, result, reranker)
        hits, told = _reaching(collapse(result.hits), request.min_score, reranked=reranker is not None)
        if result.hits and not hits:
            result = replace(result, weak=True, reason=f"no hit reaches min_score {request.min_score:g}")
        result = replace(
            result, hits=tuple(hits[: request.top_k]), warnings=(*request.warnings, *result.warnings, *told)
        )
        if not request.explain:
            return result
        from tamis.library.explaining import explained

        return explained(result, request.plan.query, self._config)

    def _reranked(self, request: Request, result: SearchResult, reranker: Reranker) -> SearchResult:
        from tamis.rerank import BudgetGuard, CostLedger, ScoreCache, StageContext, rerank_hits

        settings = request.reranker
        assert settings is not None
        caches = {name: ScoreCache(self._wired(name).folder) for name in request.corpora}
        context = StageContext(
            budget=BudgetGuard(request.budget_cents),
            ledger=CostLedger(self._home),
            scope=request.scope,
            cache_of=lambda position: caches[result.hits[position].corpus],
        )
        reranked = rerank_hits(
            request.plan.query, result.hits, reranker, settings, context, vectors=self._vectors
        )
        return _with_report(replace(result, hits=reranked.hits), reranked.report)

    def _vectors(self, hits: Sequence[Hit]) -> Mapping[int, Vectors]:
        """The stored vectors of these hits, by position; hits without one are left out."""
        import numpy as np

        found: dict[int, Vectors] = {}
        for name in {hit.corpus for hit in hits}:
            places = {int(hit.id.rpartition(":")[2]): at for at, hit in enumerate(hits) if hit.corpus == name}
            wired = self._wired(name)
            with wired.truth.snapshot() as snapshot:
                ids, rows = wired.derived.vectors(snapshot, list(places))
                found |= {places[key]: row.astype(np.float32) for key, row in zip(ids, rows, strict=True)}
        return found


def _reaching(
    hits: Sequence[Hit], least: float | None, *, reranked: bool
) -> tuple[Sequence[Hit], tuple[str, ...]]:
    """The hits whose last score is at least ``least``, and warnings.

    After a reranker the last score is the reranker's, on a scale of its own: where it gave none, nothing is left out.
    """
    if least is None:
        return hits, ()
    if not reranked:
        return [hit for hit in hits if hit.score >= least], ()
    if all(hit.rerank_score is None for hit in hits):
        return hits, (
            f"min_score {least:g} is left aside: it is for the reranker's scores, and there are none",
        )
    return [hit for hit in hits if hit.rerank_score is not None and hit.rerank_score >= least], ()


def _with_report(result: SearchResult, report: RerankReport) -> SearchResult:
    return replace(
        result,
        reranker=report.driver,
        cost_cents=report.charged_cents,
        cached_scores=report.cached,
        blend=None if report.degraded else report.blend,
        degraded=result.degraded or report.degraded,
        degrade_reason="; ".join(filter(None, (result.degrade_reason, report.degrade_reason))) or None,
        warnings=(*result.warnings, *report.warnings),
    )
