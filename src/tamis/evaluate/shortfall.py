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

    Whether a search says so or not: one with a reranker and without a score of it was not reranked (a driver may pass over
    passages that it cannot read), and one that has a side for meaning and a corpus without a vector went by words.
    """
    reason = result.degrade_reason if result.degraded else None
    if result.reranker and result.hits and all(hit.rerank_score is None for hit in result.hits):
        return Shortfall("not reranked", reason or _of_reranker(result))
    if result.degraded:
        wordy = result.dense_coverage is not None and not any(
            "dense" in hit.score_breakdown for hit in result.hits
        )
        return Shortfall("by words only" if wordy else "degraded", reason or "it does not say why")
    return Shortfall("by words only", NO_VECTORS) if result.dense_coverage == 0 and result.hits else None


def _of_reranker(result: SearchResult) -> str:
    own = (text for text in result.warnings if text.startswith(str(result.reranker)))
    return next(own, f"{result.reranker} gave no score")
