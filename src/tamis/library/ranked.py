"""Reranked memories: what they are, and how they come about."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from tamis.errors import RerankInputError
from tamis.library import drivers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from tamis.config import Config

MAX_READ = 100
"""Memories that a driver which reads or pays for each of them is given: the best by keyword."""


@dataclass(frozen=True, slots=True)
class RankStats:
    """``input`` memories came in, ``output`` went out. ``terms``: the words of the query that keyword scoring counts."""

    input: int
    output: int
    terms: tuple[str, ...]
    top_score: float | None
    elapsed_ms: int


@dataclass(frozen=True, slots=True)
class RankedMemories:
    """The best memories, each with ``original_rank`` (from 1), ``rerank_score`` and ``rank``."""

    query: str
    memories: tuple[dict[str, object], ...]
    stats: RankStats
    reranker: str
    cost_cents: float = 0.0
    degraded: bool = False
    degrade_reason: str | None = None
    warnings: tuple[str, ...] = ()


def rank_memories(
    home: Path,
    config: Config,
    query: str,
    memories: Sequence[Mapping[str, Any]],
    *,
    driver: str = "keyword",
    options: Mapping[str, Any] | None = None,
    top_k: int = 5,
    budget_cents: float | None = None,
) -> RankedMemories:
    """The ``top_k`` memories that fit a query best, by a driver, at the configured prices and into the ledger of ``home``.

    Of more than ``MAX_READ`` memories a driver that reads each with a model is given the best by keyword.

    Raises:
        RerankInputError: A memory has no content, the query is blank, or there is no such driver.
        ConfigError: The driver's options make no sense.
    """
    from tamis.rerank import rerank_memories
    from tamis.rerank.memories import query_terms

    if not query.strip():
        raise RerankInputError("the query is blank", hint="say what the memories are needed for")
    if top_k < 1:
        raise RerankInputError(f"top_k is {top_k}", hint="use 1 or more")
    started = time.perf_counter()
    made = drivers.driver(driver, config)
    entered: Sequence[Mapping[str, Any]] = memories
    warnings: tuple[str, ...] = ()
    places: list[int] | None = None
    if len(memories) > MAX_READ and (made.capabilities.needs_network or made.capabilities.cacheable):
        places = [int(str(best["original_rank"])) for best in rerank_memories(memories, query, MAX_READ)]
        entered = [memories[place - 1] for place in places]
        warnings = (f"{driver} was given the best {MAX_READ} of {len(memories):,} memories by keyword",)
    done = drivers.ranked_documents(
        home, made, query, entered, top_n=top_k, options=options, budget_cents=budget_cents
    )
    report = done.report
    return RankedMemories(
        query=query,
        memories=tuple(_placed(memory, places) for memory in done.documents),
        stats=RankStats(
            input=len(memories),
            output=len(done.documents),
            terms=tuple(query_terms(query)),
            top_score=cast("float | None", done.documents[0]["rerank_score"]) if done.documents else None,
            elapsed_ms=round((time.perf_counter() - started) * 1000),
        ),
        reranker=report.driver,
        cost_cents=report.charged_cents,
        degraded=report.degraded,
        degrade_reason=report.degrade_reason,
        warnings=(*warnings, *report.warnings),
    )


def _placed(memory: dict[str, object], places: list[int] | None) -> dict[str, object]:
    """The memory with its rank among all."""
    if places is None:
        return memory
    return {**memory, "original_rank": places[int(str(memory["original_rank"])) - 1]}
