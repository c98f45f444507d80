"""What rerankers are given and say."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tamis.types.embedding import Vectors


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage, or a plain document, before a reranker.

    ``id`` is unique among the candidates of one call. ``score`` and ``rank`` (from 1) are the first stage's.
    ``modified_ms``: when it was written, in milliseconds since the epoch, where that is known without asking the disk.
    ``vector``: its L2-normalised vector, there only for a driver that declares ``needs_vectors``.
    """

    id: str
    text: str
    title: str = ""
    path: str = ""
    heading_path: tuple[str, ...] = ()
    score: float = 0.0
    rank: int = 0
    modified_ms: float | None = None
    vector: Vectors | None = field(default=None, compare=False)


class Relevance(NamedTuple):
    """What a reranker says of one candidate: the candidate's id and its score; higher is better."""

    id: str
    score: float


@dataclass(frozen=True, slots=True)
class RerankCapabilities:
    """What the rerank stage must know of a driver before it calls it.

    ``max_results``: most candidates in one call; more are split and merged on score. ``has_cost`` holds exactly when
    the estimate for one candidate is above 0. ``cacheable``: a score depends on the query and the candidate's text
    alone, so that it may be kept. ``needs_vectors``: candidates must carry their vectors; ``needs_dates``: and when they
    were modified. ``score_span``: difference in score between a passage that answers and one about something else, for
    blending; ``None`` when that varies.
    """

    needs_network: bool = False
    has_cost: bool = False
    max_results: int = 1000
    cacheable: bool = False
    needs_vectors: bool = False
    needs_dates: bool = False
    score_span: float | None = None
