"""The values that pass between the layers: frozen, slotted, and no more than data.

Offsets everywhere count Unicode code points of the decoded text (Python string indexes), half open:
``text[span.start:span.end]``. Lines count from 1, both ends included.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy as np
    from numpy.typing import NDArray

    Vectors: TypeAlias = NDArray[np.float32]

Mode = Literal["semantic", "lexical", "hybrid", "fact", "title_path"]
MODES: tuple[Mode, ...] = ("semantic", "lexical", "hybrid", "fact", "title_path")
Kind = Literal["markdown", "rst", "text", "code"]
ChunkType = Literal["heading", "paragraph", "code", "list", "frontmatter"]


class Span(NamedTuple):
    """A half-open range of code points."""

    start: int
    end: int


class Lines(NamedTuple):
    """First and last line, counted from 1, both included."""

    first: int
    last: int


# -- reading and chunking ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FileStat:
    """What tells that a file may have changed. ``mtime_ns`` in nanoseconds since the epoch."""

    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class Source:
    """A regular file that a walk found, not read yet: its resolved absolute path and its stat."""

    path: str
    stat: FileStat


@dataclass(frozen=True, slots=True)
class FailedPath:
    """A path that could not be indexed. ``code`` is an error code, ``reason`` one sentence.

    ``stat``: of the file when it failed, where there was one to stat; it is tried again when that changes.
    """

    path: str
    reason: str
    code: str
    stat: FileStat | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A file's decoded text.

    ``content_hash`` is the hex SHA-256 of the file's bytes (of the UTF-8 of ``text`` for text that never was a
    file). ``machine_made`` marks minified or generated text that is indexed lexically only. ``stat`` is the file's at the
    moment it was read, which may be later than the walk's; ``None`` for text that never was a file.
    """

    path: str
    text: str
    kind: Kind
    content_hash: str
    encoding: str = "utf-8"
    language: str | None = None
    machine_made: bool = False
    stat: FileStat | None = None


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage: ``text == document.text[start:end]``, always."""

    index: int
    text: str
    start: int
    end: int
    lines: Lines
    heading_path: tuple[str, ...]
    type: ChunkType


@dataclass(frozen=True, slots=True)
class ChunkedDocument:
    """A document's title and its passages in reading order."""

    title: str
    chunks: tuple[Chunk, ...]


# -- embedding --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What makes two vectors comparable (DESIGN law 5).

    ``probe`` is the vector of a fixed text, which tells apart two models behind one name; it differs a little between
    processors, so it is compared by nearness, not by ``==``. ``key`` is the embedder's spelling, such as ``bundled`` or ``onnx:FOLDER``.
    """

    key: str
    model: str
    revision: str
    dimensions: int
    pooling: str
    query_prefix: str = ""
    passage_prefix: str = ""
    probe: str = field(default="", compare=False)

    @property
    def version(self) -> str:
        """How reports name the model."""
        return f"{self.model}@{self.revision[:12]}" if self.revision else self.model


@dataclass(frozen=True, slots=True)
class Embedded:
    """What came of embedding a list of texts.

    ``vectors`` is float32, one L2-normalised row for each text, in order; a row whose index is in ``failures`` (index
    → reason) is zero and must not be used. ``truncated`` lists the indexes whose text did not fit.
    """

    vectors: Vectors
    failures: Mapping[int, str] = field(default_factory=dict[int, str])
    truncated: tuple[int, ...] = ()


# -- the two derived indexes ------------------------------------------------------------------------------


class Scored(NamedTuple):
    """A chunk's id and its score in one ranking; higher is better."""

    id: int
    score: float


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a derived index reflects: which corpus (an id drawn when it was made) and which generation."""

    corpus_id: str
    generation: int


@dataclass(frozen=True, slots=True)
class LexicalDocument:
    """What the lexical index sees of a chunk. ``file_id`` is for filters."""

    id: int
    file_id: int
    title: str
    heading: str
    path: str
    body: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class FieldWeights:
    """Weight of each lexical field; 0 leaves a field out."""

    title: float
    heading: float
    path: float
    body: float


@dataclass(frozen=True, slots=True)
class Bm25:
    """BM25's parameters (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework")."""

    k1: float = 1.2
    b: float = 0.75


# -- searching --------------------------------------------------------------------------------------------


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
    ``weak`` with ``reason``: nothing was retrieved, or nothing worth much. ``cost_cents``: what reranking was charged.
    ``model_use``: of the language model that explained hits.
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
    model_use: ModelUse | None = None
    warnings: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)


# -- reports ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What an index run did. ``dropped_files`` are files of the corpus that are named no longer."""

    name: str
    model_version: str
    documents: int
    chunks: int
    total_chars: int
    reused_chunks: int
    newly_embedded_chunks: int
    dropped_files: tuple[str, ...]
    failed_paths: tuple[FailedPath, ...]
    embed_model_resolved: str
    elapsed_ms: int
    dense_coverage: float
    skipped_binary: int = 0
    truncated_chunks: int = 0
    failed_chunks: int = 0
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Drift:
    """The embedder's identity before and now."""

    prior: str
    current: str


@dataclass(frozen=True, slots=True)
class EmbedReport:
    """What an embed or a re-embed run did. Counts are of distinct texts.

    ``drift``: the corpus's model before and after, where they differ. ``dropped_vectors``: of models that are no longer used.
    """

    name: str
    newly_embedded_chunks: int
    truncated_chunks: int
    failed_chunks: int
    dense_coverage: float
    embed_model_resolved: str
    elapsed_ms: int
    drift: Drift | None = None
    dropped_vectors: int = 0
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RefreshReport:
    """How the corpus was brought in line with the disk; path lists are sorted.

    ``deleted``: gone from disk, and dropped. ``missing``: named on the command line and not there, or under a root that
    is not there at all (an unplugged disk), and therefore kept.
    """

    name: str
    added: tuple[str, ...]
    changed: tuple[str, ...]
    unchanged: tuple[str, ...]
    deleted: tuple[str, ...]
    missing: tuple[str, ...]
    reused_chunks: int
    reembedded_chunks: int
    dropped_chunks: int
    no_op: bool
    retried_failed: tuple[str, ...]
    still_failed: tuple[FailedPath, ...]
    elapsed_ms: int
    dense_coverage: float
    embed_model_resolved_drift: Drift | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AmendReport:
    corpus: str
    file_path: str
    chunks_removed: int
    chunks_added: int
    embed_model_resolved: str
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AmendedPath:
    """One entry of the amend history. Times are ISO 8601, UTC; ``cleared_at``: when the disk's text came back."""

    path: str
    amended_at: str
    chunks_before: int
    chunks_after: int
    cleared_at: str | None = None


@dataclass(frozen=True, slots=True)
class CorpusSummary:
    """One line of the list of corpora. ``indexed_at`` is ISO 8601, UTC. ``problem``: why the corpus cannot be used."""

    name: str
    model_version: str
    indexed_at: str
    documents: int
    chunks: int
    total_chars: int
    bytes_on_disk: int
    failed_path_count: int
    write_complete: bool
    has_amended_content: bool = False
    dense_coverage: float = 0.0
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class FileDetail:
    path: str
    size: int
    mtime: str
    chunks: int
    embedded_chunks: int
    stale: bool
    amended: bool
    lexical_only: bool


@dataclass(frozen=True, slots=True)
class HealthReport:
    """A corpus's summary with what may be wrong with it; ``files`` only when details were asked for."""

    summary: CorpusSummary
    staleness_days: float
    embed_model_resolved: str
    has_amended_content: bool
    generation: int
    lexical_generation: int
    dense_generation: int
    drift: Drift | None = None
    amended_paths: tuple[AmendedPath, ...] = ()
    failed_paths: tuple[FailedPath, ...] = ()
    roots: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    files: tuple[FileDetail, ...] | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """Text of a document as ``get`` returns it."""

    corpus: str
    path: str
    title: str
    text: str
    lines: Lines
    char_start: int
    char_end: int
    content_hash: str
    chunk_index: int | None = None
    stale: bool = False


# -- language models --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ModelUse:
    """What language models did for a result. Tokens are the servers' own counts, of all calls together.

    ``fallback_from``: the tier that was asked first and was late; ``model_requested``: its model. ``residency``: where
    Ollama says that the model is: ``gpu``, ``cpu`` or ``gpu+cpu``.
    """

    tier_used: str
    model: str
    backend: str
    tokens_in: int = 0
    tokens_out: int = 0
    model_requested: str | None = None
    fallback_from: str | None = None
    residency: str | None = None


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


# -- the truth --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Settings:
    """What a corpus was asked to be; kept with it, so that a refresh needs no arguments.

    ``paths`` are resolved, as named by the user; ``include`` and ``exclude`` are globs.
    """

    paths: tuple[str, ...]
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    chunk_chars: int = 800
    chunk_overlap: int = 100
    embedder: str = "bundled"
    language: str = "english"


@dataclass(frozen=True, slots=True)
class Manifest:
    """State of a corpus at one generation.

    ``text_generation``: the last generation that changed a file or chunk (later ones only brought vectors).
    ``purged_through``: file versions that died up to here are gone; an index older than that cannot catch up.
    ``model_id``: the active set of vectors, with its ``fingerprint``; ``None`` before the first embedding.
    ``model_embedder``: how the embedder of that set is called, which while a re-embed is under way is not the settings'.
    ``embedded_generation``: the ``text_generation`` of which every text was given to the active model.
    ``write_complete``: false between the first and the last write of an index run.
    """

    name: str
    corpus_id: str
    settings: Settings
    created_at: str
    indexed_at: str = ""
    generation: int = 0
    text_generation: int = 0
    purged_through: int = 0
    write_complete: bool = False
    skipped_binary: int = 0
    model_id: int | None = None
    fingerprint: Fingerprint | None = None
    embedded_generation: int = -1
    model_embedder: str = ""

    @property
    def model_version(self) -> str:
        """How reports name the active model; empty before the first embedding."""
        return "" if self.fingerprint is None else self.fingerprint.version

    @property
    def embedded(self) -> bool:
        """Whether the active model has seen every text there is."""
        return self.model_id is not None and self.embedded_generation == self.text_generation

    @property
    def active_embedder(self) -> str:
        """The embedder whose vectors answer searches."""
        return self.model_embedder or self.settings.embedder


@dataclass(frozen=True, slots=True)
class Totals:
    """``embeddable``: chunks of files that are not indexed lexically only."""

    documents: int
    chunks: int
    chars: int
    embeddable: int

    def coverage(self, embedded: int) -> float:
        """Share of the chunks that should have a vector that ``embedded`` of them are; 1 when none should."""
        return embedded / self.embeddable if self.embeddable else 1.0


@dataclass(frozen=True, slots=True)
class FileRow:
    """A file version in the truth. ``relative_path``: from the named path it was found under."""

    id: int
    path: str
    relative_path: str
    content_hash: str
    stat: FileStat
    title: str
    kind: Kind
    lexical_only: bool
    amended: bool
    chunks: int


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """A chunk in the truth with what its hit needs of its file."""

    id: int
    file: FileRow
    index: int
    text: str
    start: int
    end: int
    lines: Lines
    heading_path: tuple[str, ...]
    type: ChunkType


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file version to be written: where it is, what it says, and its passages.

    ``texts`` holds, for each chunk, what would be embedded of it.
    """

    path: str
    relative_path: str
    content_hash: str
    stat: FileStat
    title: str
    kind: Kind
    lexical_only: bool
    chunks: tuple[Chunk, ...]
    texts: tuple[str, ...]
    amended: bool = False


@dataclass(frozen=True, slots=True)
class PendingText:
    """A text that lacks a vector: its id in the truth and a chunk to make it from."""

    text_id: int
    title: str
    heading_path: tuple[str, ...]
    text: str


# -- reranking --------------------------------------------------------------------------------------------


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
    alone, so that it may be kept. ``needs_vectors``: candidates must carry their vectors. ``score_span``: difference in
    score between a passage that answers and one about something else, for blending; ``None`` when that varies.
    """

    needs_network: bool = False
    has_cost: bool = False
    max_results: int = 1000
    cacheable: bool = False
    needs_vectors: bool = False
    score_span: float | None = None
