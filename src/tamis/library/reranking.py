"""Reranking memories, by the configuration of a library."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tamis.errors import RerankInputError, TamisError
from tamis.library import drivers
from tamis.rerank import CostLedger, available

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tamis.library.library import Library
    from tamis.rerank import CostSum, RerankedDocuments
    from tamis.rerank.ledger import By

RECENCY = "recency"
"""The driver that looks at files."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What there is to rerank with, and what it was charged so far."""

    corpora: int
    documents: int
    rerankers: int
    charged_calls: int
    charged_cents: float


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
    or path. No file is read, and none outside ``Library.roots`` is asked for its date.

    Raises:
        RerankInputError: The query is blank, or there is no such driver.
        ConfigError: A configured price makes no sense.
    """
    if not query.strip():
        raise RerankInputError("the query is blank", hint=f"{driver} ranks by a query: pass it")
    memories = [{**hit, "title": hit.get("title") or "", "content": _text_of(library, hit)} for hit in hits]
    made = drivers.driver(driver, library.config)
    # The hits may be anyone's, and so may their paths.
    options = {"roots": library.roots()} if driver == RECENCY else None
    done = drivers.ranked_documents(
        library.home, made, query, memories, top_n=len(hits), options=options, budget_cents=budget_cents
    )
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
