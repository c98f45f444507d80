"""The stage for hits and for plain documents."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tamis.rerank import candidates
from tamis.rerank.stage import RerankReport, rerank_candidates

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tamis.ports import Reranker
    from tamis.rerank.settings import RerankSettings
    from tamis.rerank.stage import Placed, StageContext
    from tamis.types import Hit, Vectors


@dataclass(frozen=True, slots=True)
class RerankedHits:
    hits: tuple[Hit, ...]
    report: RerankReport


@dataclass(frozen=True, slots=True)
class RerankedDocuments:
    documents: tuple[dict[str, object], ...]
    report: RerankReport


def rerank_hits(
    query: str,
    hits: Sequence[Hit],
    driver: Reranker,
    settings: RerankSettings,
    context: StageContext | None = None,
    *,
    vectors: Callable[[Sequence[Hit]], Mapping[int, Vectors]] | None = None,
) -> RerankedHits:
    """The fused ``hits``, reranked and cut.

    A hit keeps its ``score`` and gains ``original_rank``, ``rerank_score`` (what the list is now sorted by), ``rank`` and
    ``score_breakdown["rerank"]`` (what the driver said). Whatever collapses duplicates afterwards must go by the list's
    order, not by ``score``.

    Args:
        vectors: Gives the stored vectors of hits by their position; asked only for a driver that needs them.

    Raises:
        ConfigError: The driver's config makes no sense.
        InputError: The driver says that the input makes no sense.
    """
    entered = hits[: settings.input_top_n]
    able = driver.capabilities
    stored = vectors(entered) if vectors is not None and able.needs_vectors else None
    given = candidates.of_hits(entered, stored, dated=able.needs_dates)
    placed, report = rerank_candidates(query, given, driver, settings, context)
    return RerankedHits(tuple(_hit(entered[one.position], one) for one in placed), report)


def rerank_documents(
    query: str,
    memories: Sequence[Mapping[str, object]],
    driver: Reranker,
    settings: RerankSettings,
    context: StageContext | None = None,
) -> RerankedDocuments:
    """Plain documents, ``{content, id?, title?, date?, path?, score?}``, reranked and cut.

    Copies of them come back with ``original_rank``, ``rerank_score`` and ``rank``.

    Raises:
        RerankInputError: A document has no content.
        ConfigError: The driver's config makes no sense.
    """
    placed, report = rerank_candidates(query, candidates.of_memories(memories), driver, settings, context)
    return RerankedDocuments(
        tuple(
            {
                **memories[one.position],
                "original_rank": one.position + 1,
                "rerank_score": one.score,
                "rank": one.rank,
            }
            for one in placed
        ),
        report,
    )


def _hit(hit: Hit, placed: Placed) -> Hit:
    said = {} if placed.driver_score is None else {"rerank": placed.driver_score}
    return replace(
        hit,
        rank=placed.rank,
        original_rank=placed.position + 1,
        rerank_score=placed.score,
        score_breakdown={**hit.score_breakdown, **said},
    )
