"""What the use cases ask of their back ends. Each Protocol here has at least two implementations (a fake counts)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from tamis.types import (
        Bm25,
        Candidate,
        Document,
        Embedded,
        FieldWeights,
        Fingerprint,
        LexicalDocument,
        Relevance,
        RerankCapabilities,
        Scored,
        Source,
        Stamp,
        Vectors,
    )

    Float16s = NDArray[np.float16]


class Reader(Protocol):
    """Turns the bytes of one kind of file into a document."""

    @property
    def suffixes(self) -> frozenset[str]:
        """Lower-case file name endings it takes, with the dot; of one or two parts (``.rst.txt``)."""
        ...

    @property
    def names(self) -> frozenset[str]:
        """Lower-case whole file names it takes, whatever their ending."""
        ...

    def read(self, source: Source, data: bytes) -> Document:
        """Decode ``data``, which is the file's content as of ``source.stat``.

        Raises:
            SourceError: The bytes cannot be made into text; the message says why.
        """
        ...


class Embedder(Protocol):
    """Maps texts to vectors. A vector depends on its text alone, never on what it was batched with.

    Safe to call from several threads.
    """

    @property
    def fingerprint(self) -> Fingerprint:
        """Identity of the vectors; may load the model.

        Raises:
            BackendError: The model cannot be reached or is missing.
        """
        ...

    def embed_passages(self, texts: Sequence[str]) -> Embedded:
        """One L2-normalised vector for each text, in order. A text longer than the model takes is windowed.

        Raises:
            EmbedError: The model's answer is unusable as a whole.
            BackendError: The model cannot be reached, is missing or is late.
        """
        ...

    def embed_query(self, text: str) -> Vectors:
        """The query's L2-normalised vector, shape (dimensions,); raises as ``embed_passages``."""
        ...


class LexicalIndex(Protocol):
    """BM25 over title, heading, path and body. Text given to it is text, never query syntax."""

    def stamp(self) -> Stamp | None:
        """What the index reflects; ``None`` when there is no usable index. Reads what is on disk now."""
        ...

    def apply(self, stamp: Stamp, add: Iterable[LexicalDocument], remove: Iterable[int]) -> None:
        """Add and remove chunks and move to ``stamp``, in one atomic commit.

        Idempotent: an id in ``add`` replaces what the index holds under that id. Only a holder of the corpus lock may
        call it.
        """
        ...

    def clear(self) -> None:
        """Start an empty index in place of whatever is there, readable or not."""
        ...

    def search(
        self,
        query: str,
        limit: int,
        *,
        weights: FieldWeights,
        bm25: Bm25,
        file_ids: Sequence[int] | None = None,
    ) -> list[Scored]:
        """The best ``limit`` chunks, score descending, ids ascending among equals.

        ``file_ids`` keeps the ranking to chunks of these files.
        """
        ...

    def explain(
        self, query: str, ids: Sequence[int], *, weights: FieldWeights, bm25: Bm25
    ) -> list[dict[str, float]]:
        """For each id the share of each field in its score, weights included; fields that share nothing are left out."""
        ...


class DenseIndex(Protocol):
    """Approximate inner product over quantised vectors."""

    def stamp(self) -> Stamp | None:
        """As ``LexicalIndex.stamp``."""
        ...

    def apply(
        self, stamp: Stamp, add: Iterable[tuple[Sequence[int], Float16s]], remove: Iterable[int]
    ) -> None:
        """Add and remove vectors and move to ``stamp``; idempotent, ids already there are replaced.

        ``add`` comes in batches of ids and rows, so that memory stays bounded. In memory until ``save``.
        """
        ...

    def save(self) -> None:
        """Make what was applied durable; only a holder of the corpus lock may call it."""
        ...

    def clear(self) -> None:
        """Start an empty index in memory."""
        ...

    def __len__(self) -> int:
        """Number of vectors."""
        ...

    def search(self, query: Vectors, limit: int, *, ids: NDArray[np.uint64] | None = None) -> list[Scored]:
        """About the best ``limit`` by inner product; ``ids`` keeps the ranking to these (unknown ids are ignored)."""
        ...


class CostReporter(Protocol):
    """Told what a reranker was really charged, once for each paid call; safe to call from any thread."""

    def __call__(self, cents: float, /) -> None: ...


class Reranker(Protocol):
    """Scores candidates against a query. One instance serves one search; ``tamis.rerank.BaseReranker`` is a start.

    ``cost_reporter``, ``deadline`` and ``warnings`` are the stage's: it sets the first two before the call and reads
    the third after it. ``deadline`` is the instant of ``time.monotonic()`` after which an answer is worth nothing.
    """

    cost_reporter: CostReporter | None
    deadline: float
    warnings: list[str]

    @property
    def key(self) -> str:
        """What a user types to choose it."""
        ...

    @property
    def name(self) -> str:
        """What a user reads; by default the key."""
        ...

    @property
    def version(self) -> str:
        """Part of the key of cached scores: changes with the prompt, the formula or the model behind the driver."""
        ...

    @property
    def blend(self) -> float:
        """How much the first stage's ranking counts by default, from 0 (not at all) to 1 (nothing else does)."""
        ...

    @property
    def capabilities(self) -> RerankCapabilities: ...

    def model(self, config: Mapping[str, object]) -> str:
        """Names everything in ``config`` that the scores depend on; part of the key of cached scores."""
        ...

    def estimate_cost_cents(
        self,
        count: int,
        *,
        query: str = "",
        texts: Sequence[str] = (),
        config: Mapping[str, object] | None = None,
    ) -> float:
        """Cents that reranking ``count`` candidates may cost, not less than it will; infinite when it can't be told.

        With the ``texts`` at hand the estimate follows their length, else the driver's rule of thumb.
        """
        ...

    def blend_for(self, query: str, texts: Sequence[str], config: Mapping[str, object]) -> float:
        """``blend`` for this query and candidates with these texts: more where the driver knows that it judges them badly."""
        ...

    def candidate_text(self, candidate: Candidate) -> str:
        """What the model reads of a candidate."""
        ...

    def rerank(
        self, query: str, candidates: Sequence[Candidate], top_n: int, config: Mapping[str, object]
    ) -> Sequence[Relevance]:
        """The best ``top_n`` candidates, score descending; none when ``top_n`` ≤ 0 or there are no candidates.

        Raises:
            RerankError: There are no usable scores; the stage falls back to the first stage's order.
            ConfigError: ``config`` makes no sense; the message names what does.
        """
        ...


class Progress(Protocol):
    """Told how far a long piece of work has come."""

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        """``stage`` is ``read`` (files) or ``embed`` (chunks). May raise to cancel; the work stops between commits."""
        ...
