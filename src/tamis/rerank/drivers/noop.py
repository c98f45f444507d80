"""``noop``: the first stage's order, cut."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from tamis.rerank.base import BaseReranker
from tamis.rerank.options import Options
from tamis.rerank.registry import register
from tamis.types import Relevance

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tamis.types import Candidate


@register
class Noop(BaseReranker):
    """Its score is the first stage's, lowered to the one before where it is higher, which keeps any order as it came."""

    key = "noop"

    def rerank(
        self, query: str, candidates: Sequence[Candidate], top_n: int, config: Mapping[str, object]
    ) -> Sequence[Relevance]:
        del query
        Options(self.key, config, ())
        kept = candidates[: max(0, top_n)]
        scores = accumulate((candidate.score for candidate in kept), min)
        return [Relevance(candidate.id, score) for candidate, score in zip(kept, scores, strict=True)]
