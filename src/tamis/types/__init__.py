"""The values that pass between the layers: frozen, slotted, and no more than data.

Offsets everywhere count Unicode code points of the decoded text (Python string indexes), half open:
``text[span.start:span.end]``. Lines count from 1, both ends included.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tamis.types.answering import Answer, Citation, Retrieval
    from tamis.types.documents import Chunk, ChunkedDocument, Document, NewFile, PendingText, Source
    from tamis.types.embedding import Embedded, Fingerprint, Vectors
    from tamis.types.files import AmendedPath, ChunkType, FailedPath, FileStat, Kind, Lines, Span
    from tamis.types.indexes import Bm25, FieldWeights, LexicalDocument, Scored, Stamp
    from tamis.types.model_use import ModelUse
    from tamis.types.reports import (
        AmendReport,
        CorpusSummary,
        Drift,
        EmbedReport,
        FileDetail,
        HealthReport,
        IndexReport,
        Passage,
        RefreshReport,
    )
    from tamis.types.reranking import Candidate, Relevance, RerankCapabilities
    from tamis.types.searching import MODES, Filter, FilterApplied, Hit, Mode, SearchResult
    from tamis.types.truth import ChunkRow, FileRow, Manifest, Settings, Totals

__all__ = [
    "MODES",
    "AmendReport",
    "AmendedPath",
    "Answer",
    "Bm25",
    "Candidate",
    "Chunk",
    "ChunkRow",
    "ChunkType",
    "ChunkedDocument",
    "Citation",
    "CorpusSummary",
    "Document",
    "Drift",
    "EmbedReport",
    "Embedded",
    "FailedPath",
    "FieldWeights",
    "FileDetail",
    "FileRow",
    "FileStat",
    "Filter",
    "FilterApplied",
    "Fingerprint",
    "HealthReport",
    "Hit",
    "IndexReport",
    "Kind",
    "LexicalDocument",
    "Lines",
    "Manifest",
    "Mode",
    "ModelUse",
    "NewFile",
    "Passage",
    "PendingText",
    "RefreshReport",
    "Relevance",
    "RerankCapabilities",
    "Retrieval",
    "Scored",
    "SearchResult",
    "Settings",
    "Source",
    "Span",
    "Stamp",
    "Totals",
    "Vectors",
]

_HOMES = {
    "answering": ("Answer", "Citation", "Retrieval"),
    "documents": ("Chunk", "ChunkedDocument", "Document", "NewFile", "PendingText", "Source"),
    "embedding": ("Embedded", "Fingerprint"),
    "files": ("AmendedPath", "ChunkType", "FailedPath", "FileStat", "Kind", "Lines", "Span"),
    "indexes": ("Bm25", "FieldWeights", "LexicalDocument", "Scored", "Stamp"),
    "model_use": ("ModelUse",),
    "reports": (
        "AmendReport",
        "CorpusSummary",
        "Drift",
        "EmbedReport",
        "FileDetail",
        "HealthReport",
        "IndexReport",
        "Passage",
        "RefreshReport",
    ),
    "reranking": ("Candidate", "Relevance", "RerankCapabilities"),
    "searching": ("Filter", "FilterApplied", "Hit", "MODES", "Mode", "SearchResult"),
    "truth": ("ChunkRow", "FileRow", "Manifest", "Settings", "Totals"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Bring a type in when it is first used: making some forty data classes takes longer than a search."""
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value
