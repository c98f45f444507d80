"""``noop``: the first stage's order, cut."""

from __future__ import annotations

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
    """Its score is 1 over the position, which keeps any order as it came."""

    key = "noop"

    def rerank(
        self, query: str, candidates: Sequence[Candidate], top_n: int, config: Mapping[str, object]
    ) -> Sequence[Relevance]:
        del query
        Options(self.key, config, ())
        return [
            Relevance(candidate.id, 1.0 / position)
            for position, candidate in enumerate(candidates[: max(0, top_n)], 1)
        ]
