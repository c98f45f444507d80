"""``mmr``: what is relevant and not said yet.

Carbonell and Goldstein 1998, "The Use of MMR, Diversity-Based Reranking for Reordering Documents and Producing
Summaries": the next one is the candidate with the highest lambda * relevance - (1 - lambda) * similarity to the most
similar one chosen before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.rerank.base import BaseReranker
from tamis.rerank.options import Options
from tamis.rerank.registry import register
from tamis.types import Relevance, RerankCapabilities

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from tamis.types import Candidate

LAMBDA = 0.7
"""Leans to relevance: at 0.5 a near copy of the best hit falls behind unrelated ones."""


@register
class Mmr(BaseReranker):
    """Relevance is the first stage's score scaled to 0 … 1, similarity the cosine of the stored vectors.

    Its score is the value with which a candidate was chosen, which never rises from one choice to the next. A candidate
    without a vector is like no other. Option ``lambda``: 1 is pure relevance, 0 pure diversity.
    """

    key = "mmr"
    capabilities = RerankCapabilities(max_results=5000, needs_vectors=True)

    def rerank(
        self, query: str, candidates: Sequence[Candidate], top_n: int, config: Mapping[str, object]
    ) -> Sequence[Relevance]:
        del query
        weight = Options(self.key, config, {"lambda"}).number("lambda", LAMBDA, high=1.0)
        if top_n <= 0 or not candidates:
            return []
        without = sum(candidate.vector is None for candidate in candidates)
        if without:
            self.warnings.append(
                f"mmr: {without} of {len(candidates)} candidates have no vector and count as new"
            )
        chosen = _choose(_scaled(candidates), _unit_vectors(candidates), weight, min(top_n, len(candidates)))
        return [Relevance(candidates[index].id, value) for index, value in chosen]


def _choose(
    relevance: NDArray[np.float64], vectors: NDArray[np.float64], weight: float, top_n: int
) -> list[tuple[int, float]]:
    import numpy as np

    closest = np.zeros(len(relevance))
    left = np.ones(len(relevance), dtype=bool)
    chosen: list[tuple[int, float]] = []
    for _ in range(top_n):
        values = np.where(left, weight * relevance - (1.0 - weight) * closest, -np.inf)
        best = int(np.argmax(values))  # the first of equals, so that ties keep their order
        chosen.append((best, float(values[best])))
        left[best] = False
        closest = np.maximum(closest, vectors @ vectors[best])
    return chosen


def _scaled(candidates: Sequence[Candidate]) -> NDArray[np.float64]:
    import numpy as np

    scores = np.array([candidate.score for candidate in candidates], dtype=np.float64)
    spread = float(scores.max() - scores.min())
    return (scores - scores.min()) / spread if spread > 0 else np.ones(len(scores))


def _unit_vectors(candidates: Sequence[Candidate]) -> NDArray[np.float64]:
    import numpy as np

    size = max((len(one.vector) for one in candidates if one.vector is not None), default=1)
    rows = np.zeros((len(candidates), size))
    for row, candidate in zip(rows, candidates, strict=True):
        if candidate.vector is not None and len(candidate.vector) == size:
            norm = float(np.linalg.norm(candidate.vector))
            row[:] = candidate.vector / norm if norm > 0 else 0.0
    return rows
