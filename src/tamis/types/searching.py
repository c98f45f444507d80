"""A search: what is asked and what is found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tamis.types.files import ChunkType, Lines
    from tamis.types.model_use import ModelUse

Mode = Literal["semantic", "lexical", "hybrid", "fact", "title_path"]
MODES: tuple[Mode, ...] = ("semantic", "lexical", "hybrid", "fact", "title_path")


@dataclass(frozen=True, slots=True)
class Filter:
    """Which chunks take part.

    ``path_glob``: ``**``, ``*``, ``?`` on the absolute path or on the path relative to a corpus root.
    ``since``: ISO 8601; chunks whose file was modified at or after it.
    """

    path_glob: str | None = None
    since: str | None = None


@dataclass(frozen=True, slots=True)
class FilterApplied:
    """Chunks before the filter, chunks kept, and the filter that did it."""

    total_before: int
    kept: int
    path_glob: str | None = None
    since: str | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """One passage found.

    ``score_breakdown`` has the parts that were used: ``lexical``, ``lexical.title`` …, ``lexical_rank``, ``dense``,
    ``dense_rank``, ``fused``, ``rerank``. ``rank`` counts from 1. ``stale``: the file on disk changed or went since.
    """

    id: str
    corpus: str
    path: str
    score: float
    chunk_index: int
    char_start: int
    char_end: int
    lines: Lines
    heading_path: tuple[str, ...]
    chunk_type: ChunkType
    title: str
    text: str
    content_hash: str
    rank: int
    preview: str | None = None
    why_matched: str | None = None
    stale: bool = False
    original_rank: int | None = None
    rerank_score: float | None = None
    score_breakdown: Mapping[str, float] = field(default_factory=dict[str, float])


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits, best first, and what there is to know about how they were found.

    ``dense_coverage``: share of the chunks that the dense side saw, 0 to 1; ``None`` in a mode without a dense side.
    ``weak`` with ``reason``: nothing was retrieved, or nothing worth much. ``cost_cents``: what reranking was charged;
    ``cached_scores``: how many of its scores were known before and cost nothing; ``blend``: the share of the first stage in it.
    ``model_use``: of the language model that explained hits, else of the embedder.
    """

    hits: tuple[Hit, ...]
    corpus_name: str
    model_version: str
    total_chunks: int
    mode: Mode
    weak: bool = False
    reason: str | None = None
    filter_applied: FilterApplied | None = None
    dense_coverage: float | None = None
    degraded: bool = False
    degrade_reason: str | None = None
    reranker: str | None = None
    cost_cents: float | None = None
    cached_scores: int | None = None
    blend: float | None = None
    model_use: ModelUse | None = None
    warnings: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)
