"""``keyword``: the scoring of ``rerank_memories`` for any candidates."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tamis.rerank.base import BaseReranker, best_first
from tamis.rerank.memories import keyword_score
from tamis.rerank.options import Options
from tamis.rerank.registry import register
from tamis.types import Relevance, RerankCapabilities

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tamis.types import Candidate


@register
class Keyword(BaseReranker):
    """Its score is ``keyword_score``."""

    key = "keyword"
    capabilities = RerankCapabilities(needs_dates=True)

    def rerank(
        self, query: str, candidates: Sequence[Candidate], top_n: int, config: Mapping[str, object]
    ) -> Sequence[Relevance]:
        Options(self.key, config, ())
        now_ms = time.time() * 1000.0
        return best_first(
            [
                Relevance(
                    one.id,
                    keyword_score(
                        query, title=one.title, content=one.text, modified_ms=one.modified_ms, now_ms=now_ms
                    ),
                )
                for one in candidates
            ],
            top_n,
        )
