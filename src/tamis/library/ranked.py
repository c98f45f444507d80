"""Reranked memories: the values."""

from __future__ import annotations

from dataclasses import dataclass


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
