"""Getting usable scores from a driver: what is cached is not asked for again, what comes back is checked."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tamis.errors import RerankError
from tamis.rerank.cache import Scorer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tamis.ports import Reranker
    from tamis.rerank.cache import ScoreCache
    from tamis.types import Candidate, Relevance


LARGEST = 1e100
"""A score of this size is nonsense, and arithmetic with it overflows."""


@dataclass(slots=True)
class Scoring:
    """One query's candidates on their way through one driver.

    ``cache_of`` gives the cache in which the score of a candidate belongs, by the candidate's position.
    """

    driver: Reranker
    query: str
    candidates: Sequence[Candidate]
    config: Mapping[str, object]
    cache_of: Callable[[int], ScoreCache | None]
    scores: dict[str, float] = field(default_factory=dict[str, float])
    missing: list[int] = field(default_factory=list[int])
    texts: list[str] = field(default_factory=list[str])
    _scorer: Scorer | None = None

    def look_up(self) -> None:
        """Fill ``scores`` from the caches, and ``missing`` with the positions of the candidates that remain."""
        self.texts = [self.driver.candidate_text(candidate) for candidate in self.candidates]
        if self.driver.capabilities.cacheable:
            self._scorer = Scorer(
                self.driver.key, self.driver.version, self.driver.model(self.config), self.query
            )
            for cache, positions in self._by_cache(range(len(self.candidates))):
                found = cache.get(self._scorer, [self.texts[position] for position in positions])
                for position in positions:
                    if self.texts[position] in found:
                        self.scores[self.candidates[position].id] = found[self.texts[position]]
        self.missing = [i for i, one in enumerate(self.candidates) if one.id not in self.scores]

    def ask(self, may_ask: Callable[[Sequence[int]], bool]) -> None:
        """Have the driver score what is missing, in parts that it can take, and keep what it says.

        Args:
            may_ask: Whether the next candidates, by position, may be scored; the first are asked for without it.

        Raises:
            RerankError: The driver gave nonsense.
        """
        most = max(1, self.driver.capabilities.max_results)
        for start in range(0, len(self.missing), most):
            part = self.missing[start : start + most]
            if start and not may_ask(part):
                break
            candidates = [self.candidates[position] for position in part]
            fresh = checked(
                self.driver.rerank(self.query, candidates, len(candidates), self.config), candidates
            )
            self.scores |= fresh
            self._keep(part, fresh)

    def _keep(self, positions: Sequence[int], fresh: Mapping[str, float]) -> None:
        if self._scorer is None:
            return
        scored = [position for position in positions if self.candidates[position].id in fresh]
        for cache, there in self._by_cache(scored):
            cache.put(self._scorer, {self.texts[i]: fresh[self.candidates[i].id] for i in there})

    def _by_cache(self, positions: Sequence[int]) -> list[tuple[ScoreCache, list[int]]]:
        groups: dict[int, tuple[ScoreCache, list[int]]] = {}
        for position in positions:
            cache = self.cache_of(position)
            if cache is not None:
                groups.setdefault(id(cache), (cache, []))[1].append(position)
        return list(groups.values())


def checked(answer: Sequence[Relevance], candidates: Sequence[Candidate]) -> dict[str, float]:
    """The answer's scores by id; of several for one candidate the highest counts.

    Raises:
        RerankError: An id is not one of the candidates', a score is no number or beyond all measure, or there are no scores.
    """
    known = {candidate.id for candidate in candidates}
    scores: dict[str, float] = {}
    for relevance in answer:
        try:
            name, score = relevance
            number = float(score)
        except (TypeError, ValueError):
            raise RerankError(f"the driver gave {relevance!r} in place of an id and a score") from None
        if name not in known:
            raise RerankError(f"the driver scored {name!r}, which is not a candidate")
        if not abs(number) < LARGEST:
            raise RerankError(f"the driver scored {name!r} with {number}")
        scores[name] = max(number, scores.get(name, -math.inf))
    if candidates and not scores:
        raise RerankError("the driver scored no candidate")
    return scores
