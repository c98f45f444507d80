"""What was done to a corpus, and how it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tamis.types.files import AmendedPath, FailedPath, Lines
    from tamis.types.model_use import ModelUse


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What an index run did. ``dropped_files`` are files of the corpus that are named no longer.

    ``degraded`` with ``degrade_reason``: the text is searchable, and the vectors that are missing could not be made.
    """

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
    model_use: ModelUse | None = None
    degraded: bool = False
    degrade_reason: str | None = None
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
    model_use: ModelUse | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RefreshReport:
    """How the corpus was brought in line with the disk; path lists are sorted.

    ``deleted``: gone from disk, and dropped. ``missing``: named on the command line and not there, or under a root that
    is not there at all (an unplugged disk), and therefore kept. ``degraded``: as in ``IndexReport``.
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
    model_use: ModelUse | None = None
    degraded: bool = False
    degrade_reason: str | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AmendReport:
    """What an amend did."""

    corpus: str
    file_path: str
    chunks_removed: int
    chunks_added: int
    embed_model_resolved: str
    model_use: ModelUse | None = None
    warnings: tuple[str, ...] = ()


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
