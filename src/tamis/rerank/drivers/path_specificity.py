"""``path_specificity``: the deepest path first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.rerank.base import BaseReranker, best_first
from tamis.rerank.heuristics.path_depth import path_depth
from tamis.rerank.options import Options
from tamis.rerank.registry import register
from tamis.types import Relevance

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tamis.types import Candidate


@register
class PathSpecificity(BaseReranker):
    """Its score is the number of the path's segments."""

    key = "path_specificity"

    def rerank(
        self, query: str, candidates: Sequence[Candidate], top_n: int, config: Mapping[str, object]
    ) -> Sequence[Relevance]:
        del query
        Options(self.key, config, ())
        return best_first([Relevance(one.id, float(path_depth(one.path))) for one in candidates], top_n)
