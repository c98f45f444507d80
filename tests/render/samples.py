"""Results as the library gives them, for tests of how they are shown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tamis.types import (
    CorpusSummary,
    FailedPath,
    HealthReport,
    Hit,
    IndexReport,
    Lines,
    RefreshReport,
    SearchResult,
)

PASSAGE = "Keys are rotated every ninety days.\nWho rotates a key tells the others."


def hit(**changes: Any) -> Hit:
    made = Hit(
        id="notes:7",
        corpus="notes",
        path="/home/ann/notes/keys.md",
        score=0.03252,
        chunk_index=3,
        char_start=10,
        char_end=10 + len(PASSAGE),
        lines=Lines(4, 5),
        heading_path=("Keys", "Rotation"),
        chunk_type="paragraph",
        title="Keys",
        text=PASSAGE,
        content_hash="ab" * 32,
        rank=1,
        preview=PASSAGE[:35],
        score_breakdown={"lexical": 7.25, "lexical_rank": 1.0},
    )
    return replace(made, **changes)


def found(*hits: Hit, **changes: Any) -> SearchResult:
    return replace(
        SearchResult(
            hits=hits,
            corpus_name="notes",
            model_version="bge@1",
            total_chunks=42,
            mode="hybrid",
            dense_coverage=1.0,
        ),
        **changes,
    )


SUMMARY = CorpusSummary(
    name="notes",
    model_version="bge@1",
    indexed_at="2026-01-01T00:00:00+00:00",
    documents=3,
    chunks=1042,
    total_chars=912_345,
    bytes_on_disk=2_400_000,
    failed_path_count=1,
    write_complete=True,
    has_amended_content=True,
    dense_coverage=0.999,
)

FAILED = FailedPath("/home/ann/notes/pipe", "it is a pipe", "SOURCE_UNREADABLE")

HEALTH = HealthReport(
    summary=SUMMARY,
    staleness_days=2.5,
    embed_model_resolved="bge@1",
    has_amended_content=True,
    generation=9,
    lexical_generation=9,
    dense_generation=8,
    failed_paths=(FAILED,),
    roots=("/home/ann/notes",),
    warnings=("1 paths could not be indexed",),
)

INDEXED = IndexReport(
    name="notes",
    model_version="bge@1",
    documents=3,
    chunks=1042,
    total_chars=912_345,
    reused_chunks=1000,
    newly_embedded_chunks=42,
    dropped_files=("/home/ann/notes/old.md",),
    failed_paths=(FAILED,),
    embed_model_resolved="bge@1",
    elapsed_ms=65_000,
    dense_coverage=1.0,
    skipped_binary=2,
    warnings=("not there: /home/ann/gone",),
)

REFRESHED = RefreshReport(
    name="notes",
    added=("/home/ann/notes/new.md",),
    changed=(),
    unchanged=("/home/ann/notes/keys.md",),
    deleted=("/home/ann/notes/old.md",),
    missing=(),
    reused_chunks=0,
    reembedded_chunks=4,
    dropped_chunks=2,
    no_op=False,
    retried_failed=(),
    still_failed=(),
    elapsed_ms=120,
    dense_coverage=1.0,
)
