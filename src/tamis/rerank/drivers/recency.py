"""``recency``: the newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.rerank.base import BaseReranker, best_first
from tamis.rerank.heuristics.modified import modified_ms, modified_of
from tamis.rerank.heuristics.reorder import outside_warnings
from tamis.rerank.options import Options
from tamis.rerank.registry import register
from tamis.types import Relevance

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tamis.types import Candidate


@register
class Recency(BaseReranker):
    """Its score is the modification time in milliseconds: the candidate's own date, else its file's, else 0.

    Option ``roots``: folders outside which no file is looked at; without it every path is.
    """

    key = "recency"

    def __init__(self) -> None:
        super().__init__()
        self.stat = modified_ms

    def rerank(
        self, query: str, candidates: Sequence[Candidate], top_n: int, config: Mapping[str, object]
    ) -> Sequence[Relevance]:
        del query
        options = Options(self.key, config, {"roots"})
        undated = [
            candidate.path for candidate in candidates if candidate.modified_ms is None and candidate.path
        ]
        roots = options.texts("roots") if "roots" in config else None
        times, outside = modified_of(undated, stat=self.stat, roots=roots)
        self.warnings += outside_warnings(outside)
        scored = [
            Relevance(one.id, times.get(one.path, 0.0) if one.modified_ms is None else one.modified_ms)
            for one in candidates
        ]
        return best_first(scored, top_n)
