"""What every reranker of ours starts from, and what a plug-in may start from."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from tamis.types import RerankCapabilities

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tamis.ports import CostReporter
    from tamis.types import Candidate, Relevance


class BaseReranker:
    """A driver with the defaults filled in: give ``key``, write ``rerank``.

    Class attributes: ``key``, the driver's name for users; ``label``, a nicer one; ``version``; ``blend``;
    ``capabilities``; see ``tamis.ports.Reranker``. The registry makes one instance for each search, without arguments.
    """

    key: str = ""
    label: str = ""
    version: str = "1"
    blend: float = 0.0
    capabilities: RerankCapabilities = RerankCapabilities()

    def __init__(self) -> None:
        self.cost_reporter: CostReporter | None = None
        self.deadline: float = math.inf
        self.warnings: list[str] = []

    @property
    def name(self) -> str:
        return self.label or self.key

    @classmethod
    def missing(cls) -> str | None:
        """What must be installed before the driver can work, in one sentence; ``None`` when nothing is."""
        return None

    def model(self, config: Mapping[str, object]) -> str:
        return str(config.get("model", ""))

    def estimate_cost_cents(
        self,
        count: int,
        *,
        query: str = "",
        texts: Sequence[str] = (),
        config: Mapping[str, object] | None = None,
    ) -> float:
        del count, query, texts, config
        return 0.0

    def blend_for(self, query: str, texts: Sequence[str], config: Mapping[str, object]) -> float:
        del query, texts, config
        return self.blend

    def candidate_text(self, candidate: Candidate) -> str:
        """Title and passage, a newline between them; the passage alone when it has no title."""
        return f"{candidate.title}\n{candidate.text}" if candidate.title else candidate.text

    def rerank(
        self, query: str, candidates: Sequence[Candidate], top_n: int, config: Mapping[str, object]
    ) -> Sequence[Relevance]:
        raise NotImplementedError

    def report_cost(self, cents: float) -> None:
        """Pass on what was charged; safe with no reporter, and silent about amounts that are not above 0."""
        if self.cost_reporter is not None and math.isfinite(cents) and cents > 0:
            self.cost_reporter(cents)

    def remaining(self) -> float:
        """Seconds until the deadline; infinite without one, 0 when it has passed."""
        return max(0.0, self.deadline - time.monotonic())


def best_first(scored: Sequence[Relevance], top_n: int) -> list[Relevance]:
    """The ``top_n`` best, score descending; equal scores keep their order."""
    return sorted(scored, key=lambda one: -one.score)[: max(0, top_n)]
