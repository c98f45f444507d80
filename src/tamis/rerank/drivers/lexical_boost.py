"""``lexical_boost``: more matched terms first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.rerank.base import BaseReranker, best_first
from tamis.rerank.heuristics.term_match import matched_terms
from tamis.rerank.options import Options
from tamis.rerank.registry import register
from tamis.types import Relevance

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tamis.types import Candidate


@register
class LexicalBoost(BaseReranker):
    """Its score is the first stage's + the number of terms that stand, as words, in text, heading path or title.

    Option ``terms``: a list, or text split at commas; the query's words when left out.
    """

    key = "lexical_boost"

    def rerank(
        self, query: str, candidates: Sequence[Candidate], top_n: int, config: Mapping[str, object]
    ) -> Sequence[Relevance]:
        terms = Options(self.key, config, {"terms"}).texts("terms") or query.split()
        return best_first(
            [
                Relevance(one.id, one.score + matched_terms(terms, (one.text, *one.heading_path, one.title)))
                for one in candidates
            ],
            top_n,
        )
