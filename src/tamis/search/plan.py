"""What a search is asked to do, as a value: checked once, compared and logged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tamis.errors import InputError
from tamis.types import MODES, Bm25, Filter

if TYPE_CHECKING:
    from tamis.types import FieldWeights, Mode

MAX_QUERY = 1000
MAX_TOP_K = 100
# Passages ranked beyond what was asked for, in place of those that show the same passage again.
SPARE_HITS = 5
MAX_PREVIEW = 500


@dataclass(frozen=True, slots=True)
class Plan:
    """A search of one corpus.

    ``limit`` is the number of passages to rank, at least ``top_k`` of what is asked for in the end. ``distinct`` is the number of
    hits to bring once those are left out that show a better one's passage again; ``None`` where all go on to a reranker or
    to a merge with other corpora. ``weights`` and ``title_weights`` are the lexical field weights of the modes with and without the body. ``fusion`` names how the two
    sides are made one.
    """

    query: str
    mode: Mode
    limit: int
    weights: FieldWeights
    title_weights: FieldWeights
    bm25: Bm25 = Bm25()
    fusion: str = "default"
    lexical_weight: float = 1.0
    dense_weight: float = 1.0
    filter: Filter = Filter()
    preview_chars: int = 200
    distinct: int | None = None
    explain_fields: bool = False

    @property
    def needs_dense(self) -> bool:
        """Whether the mode has a dense side."""
        return self.mode in ("semantic", "hybrid", "fact")

    @property
    def needs_lexical(self) -> bool:
        """Whether the mode has a lexical side."""
        return self.mode != "semantic"


def check(query: str, mode: str, top_k: int, preview_chars: int) -> None:
    """Refuse what the seeds' schema refuses.

    Raises:
        InputError: Names the argument, what it was and what it may be.
    """
    if len(query) > MAX_QUERY:
        raise InputError(f"the query has {len(query)} characters", hint=f"use at most {MAX_QUERY}")
    if mode not in MODES:
        raise InputError(f"unknown mode {mode!r}", hint=f"modes: {', '.join(MODES)}")
    if not 1 <= top_k <= MAX_TOP_K:
        raise InputError(f"top_k is {top_k}", hint=f"use 1 to {MAX_TOP_K}")
    if not 0 <= preview_chars <= MAX_PREVIEW:
        raise InputError(f"preview_chars is {preview_chars}", hint=f"use 0 to {MAX_PREVIEW}")
