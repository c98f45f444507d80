"""Reranking memories, by the configuration of a library."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from tamis.errors import RerankInputError, TamisError
from tamis.library import drivers
from tamis.library.ranked import RankedMemories, RankStats
from tamis.rerank import (
    BudgetGuard,
    CostLedger,
    RerankedDocuments,
    RerankSettings,
    StageContext,
    available,
    rerank_documents,
    rerank_memories,
)
from tamis.rerank.memories import query_terms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tamis.library.library import Library
    from tamis.rerank import CostSum
    from tamis.rerank.ledger import By

MAX_READ = 100
"""Memories that a driver which reads or pays for each of them is given: the best by keyword."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What there is to rerank with, and what it was charged so far."""

    corpora: int
    documents: int
    rerankers: int
    charged_calls: int
    charged_cents: float


def ranked(
    library: Library,
    query: str,
    memories: Sequence[Mapping[str, Any]],
    *,
    driver: str = "keyword",
    config: Mapping[str, Any] | None = None,
    top_k: int = 5,
    budget_cents: float | None = None,
) -> RankedMemories:
    """The ``top_k`` memories that fit a query best, by a driver, at the configured prices and into the library's ledger.

    Of more than ``MAX_READ`` memories a driver that reads each with a model is given the best by keyword.

    Raises:
        RerankInputError: A memory has no content, the query is blank, or there is no such driver.
        ConfigError: The driver's options make no sense.
    """
    if not query.strip():
        raise RerankInputError("the query is blank", hint="say what the memories are needed for")
    if top_k < 1:
        raise RerankInputError(f"top_k is {top_k}", hint="use 1 or more")
    started = time.perf_counter()
    made = drivers.driver(driver, library.config)
    entered: Sequence[Mapping[str, Any]] = memories
    warnings: tuple[str, ...] = ()
    places: list[int] | None = None
    if len(memories) > MAX_READ and (made.capabilities.needs_network or made.capabilities.cacheable):
        places = [int(str(best["original_rank"])) for best in rerank_memories(memories, query, MAX_READ)]
        entered = [memories[place - 1] for place in places]
        warnings = (f"{driver} was given the best {MAX_READ} of {len(memories):,} memories by keyword",)
    settings = RerankSettings(driver, input_top_n=len(entered), output_top_n=top_k, config=config or {})
    context = StageContext(budget=BudgetGuard(budget_cents), ledger=CostLedger(library.home))
    done = rerank_documents(query, entered, made, settings, context)
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


def ranked_hits(
    library: Library,
    query: str,
    hits: Sequence[Mapping[str, Any]],
    *,
    driver: str,
    budget_cents: float | None = None,
) -> RerankedDocuments:
    """Hits from anywhere, ``{id, path, score, text?, preview?, title?, heading_path?}``, in the order that a driver gives them.

    The driver reads a hit's text: its own, else that of the chunk that its id names here, else its preview, headings, title
    or path. No file is read.

    Raises:
        RerankInputError: The query is blank, or there is no such driver.
        ConfigError: A configured price makes no sense.
    """
    if not query.strip():
        raise RerankInputError("the query is blank", hint=f"{driver} ranks by a query: pass it")
    memories = [{**hit, "title": hit.get("title") or "", "content": _text_of(library, hit)} for hit in hits]
    settings = RerankSettings(driver, input_top_n=len(hits), output_top_n=len(hits))
    context = StageContext(budget=BudgetGuard(budget_cents), ledger=CostLedger(library.home))
    done = rerank_documents(query, memories, drivers.driver(driver, library.config), settings, context)
    documents = tuple(
        {
            **hits[int(str(memory["original_rank"])) - 1],
            **{key: memory[key] for key in ("original_rank", "rerank_score", "rank")},
        }
        for memory in done.documents
    )
    return replace(done, documents=documents)


def costs(library: Library, by: Sequence[By], since: str | None = None) -> tuple[CostSum, ...]:
    """What reranking was charged; raises as ``CostLedger.sums``."""
    return CostLedger(library.home).sums(by, since=since)


def standing(library: Library) -> Standing:
    """How things stand; corpora that cannot be used count without documents."""
    corpora = library.list()
    charged = costs(library, ())
    return Standing(
        corpora=len(corpora),
        documents=sum(corpus.documents for corpus in corpora),
        rerankers=sum(driver.installed and driver.error is None for driver in available()),
        charged_calls=sum(item.calls for item in charged),
        charged_cents=sum(item.cents for item in charged),
    )


def _text_of(library: Library, hit: Mapping[str, Any]) -> str:
    if text := hit.get("text"):
        return str(text)
    try:
        passage = library.get(str(hit["id"]))
    except TamisError:
        passage = None
    # Another system's hit may have an id that means something else here.
    if passage is not None and passage.path == hit["path"]:
        return passage.text
    headings = " ".join(hit.get("heading_path") or ())
    return str(hit.get("preview") or headings or hit.get("title") or hit["path"])


def _placed(memory: dict[str, object], places: list[int] | None) -> dict[str, object]:
    """The memory with its rank among all."""
    if places is None:
        return memory
    return {**memory, "original_rank": places[int(str(memory["original_rank"])) - 1]}
