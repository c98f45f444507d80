"""Reranking: drivers by key, one stage for all of them, and the orders that need no model."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

from tamis.rerank.apply import RerankedDocuments, RerankedHits, rerank_documents, rerank_hits
from tamis.rerank.base import BaseReranker
from tamis.rerank.budget import BudgetGuard
from tamis.rerank.cache import ScoreCache
from tamis.rerank.catalog import DriverInfo, available, create
from tamis.rerank.heuristics.reorder import RERANK_BY, Reordered, rerank_by
from tamis.rerank.ledger import Charge, CostLedger, CostSum
from tamis.rerank.memories import rerank_memories
from tamis.rerank.plan import RerankPlan, plan_rerank
from tamis.rerank.prices import PRICES, Price, PriceTable
from tamis.rerank.registry import register
from tamis.rerank.settings import OUTPUT_TOP_N, RerankSettings
from tamis.rerank.stage import RerankReport, StageContext

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "OUTPUT_TOP_N",
    "PRICES",
    "RERANK_BY",
    "BaseReranker",
    "BudgetGuard",
    "Charge",
    "CostLedger",
    "CostSum",
    "DriverInfo",
    "Price",
    "PriceTable",
    "Reordered",
    "RerankPlan",
    "RerankReport",
    "RerankSettings",
    "RerankedDocuments",
    "RerankedHits",
    "ScoreCache",
    "StageContext",
    "available",
    "create",
    "plan_rerank",
    "register",
    "rerank_by",
    "rerank_documents",
    "rerank_hits",
    "rerank_memories",
]


class _Callable(ModuleType):
    # ``tamis.rerank`` is this package as soon as anything imports it, and to users it is a function, as in
    # ``tamis.rerank(memories, query, 5)``: a package that can be called is both, whichever comes first.
    def __call__(
        self, memories: Sequence[Mapping[str, object]], query: str, top_k: int | None = 5
    ) -> list[dict[str, object]]:
        return rerank_memories(memories, query, top_k)


sys.modules[__name__].__class__ = _Callable
