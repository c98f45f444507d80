"""An answer to a question, and what it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tamis.types.files import Lines
    from tamis.types.model_use import ModelUse
    from tamis.types.searching import Mode


@dataclass(frozen=True, slots=True)
class Citation:
    """A passage that an answer rests on; ``number`` is its mark in the answer's text."""

    number: int
    id: str
    path: str
    chunk_index: int
    heading_path: tuple[str, ...]
    title: str
    score: float
    lines: Lines


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What there was to answer from. ``top_score``: of the best hit, ``None`` without one."""

    retrieved: int
    total_in_corpus: int
    top_score: float | None
    weak: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer from retrieved passages alone, or none (``abstained``).

    ``covered_sources`` are paths that it cites, ``omitted_sources`` paths that were retrieved and are not cited.
    ``invalid_citations``: how many marks named no passage that the model was shown; they are taken out of the text.
    """

    answer: str
    citations: tuple[Citation, ...]
    covered_sources: tuple[str, ...]
    omitted_sources: tuple[str, ...]
    coverage_notes: tuple[str, ...]
    mode: Mode
    retrieval: Retrieval
    abstained: bool
    invalid_citations: int = 0
    model_use: ModelUse | None = None
    degraded: bool = False
    degrade_reason: str | None = None
    warnings: tuple[str, ...] = ()
