"""Rerankers by key, at the configured prices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from tamis.config import Config
    from tamis.ports import Reranker
    from tamis.rerank import RerankedDocuments


def driver(key: str, config: Config) -> Reranker:
    """The reranker of this key, for one search.

    Raises:
        RerankInputError: There is none.
        ConfigError: A configured price makes no sense.
    """
    from tamis.rerank import PRICES, create

    own = config.rerank.prices
    return create(key, prices=PRICES.overridden(own) if own else None)


def ranked_documents(
    home: Path,
    made: Reranker,
    query: str,
    documents: Sequence[Mapping[str, Any]],
    *,
    top_n: int,
    options: Mapping[str, Any] | None = None,
    budget_cents: float | None = None,
) -> RerankedDocuments:
    """All of the documents through a driver, the best ``top_n`` of them out; what is charged goes into the ledger of ``home``.

    Raises:
        RerankInputError: They are no list of mappings, or one has no content.
        InputError: The budget is no number of cents.
        ConfigError: The driver's options make no sense.
    """
    from tamis.rerank import BudgetGuard, CostLedger, RerankSettings, StageContext, rerank_documents

    settings = RerankSettings(made.key, input_top_n=len(documents), output_top_n=top_n, config=options or {})
    context = StageContext(budget=BudgetGuard(budget_cents), ledger=CostLedger(home))
    return rerank_documents(query, documents, made, settings, context)
