"""Searches that did not do all that their set-up says: their results are not that set-up's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from tamis.types import SearchResult

NO_VECTORS = "no passage has a vector"


@dataclass(frozen=True, slots=True)
class Shortfall:
    """``what`` was missing, in a word or two, and the ``reason``."""

    what: Literal["not reranked", "by words only", "degraded"]
    reason: str


def shortfall_of(result: SearchResult) -> Shortfall | None:
    """What a search fell short of; ``None`` when it did all that it should.

    A search that has a side for meaning and a corpus without a vector is one by words, whether it says so or not.
    """
    if result.degraded:
        reason = result.degrade_reason or "it does not say why"
        if result.reranker is not None and all(hit.rerank_score is None for hit in result.hits):
            return Shortfall("not reranked", reason)
        wordy = result.dense_coverage is not None and not any(
            "dense" in hit.score_breakdown for hit in result.hits
        )
        return Shortfall("by words only" if wordy else "degraded", reason)
    return Shortfall("by words only", NO_VECTORS) if result.dense_coverage == 0 and result.hits else None
