"""Output schemas: the envelope, and the parts that results are made of.

Clients check results against them, so they say what is always there and leave the rest open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tamis.mcp_server.arguments import Schema

STRING: Schema = {"type": "string"}
INTEGER: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
BOOLEAN: Schema = {"type": "boolean"}
STRINGS: Schema = {"type": "array", "items": STRING}
MAYBE_NUMBER: Schema = {"type": ["number", "null"]}
MAYBE_STRING: Schema = {"type": ["string", "null"]}
LINES: Schema = {"type": "array", "items": INTEGER, "minItems": 2, "maxItems": 2}


def record(*required: str, **properties: Schema) -> Schema:
    """An object with these properties and maybe others."""
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = list(required)
    return schema


def several(item: Schema) -> Schema:
    """A list of such items."""
    return {"type": "array", "items": item}


ERROR = {
    "error": {"type": "boolean"},
    "code": STRING,
    "message": STRING,
    "hint": STRING,
    "retryable": BOOLEAN,
}

FAILED = several(record("path", "reason", "code", path=STRING, reason=STRING, code=STRING))

HIT = record(
    "id", "corpus", "path", "score", "chunk_index", "char_start", "char_end", "lines", "title", "heading_path", "chunk_type",
    id=STRING, corpus=STRING, path=STRING, score=MAYBE_NUMBER, chunk_index=INTEGER, char_start=INTEGER, char_end=INTEGER,
    lines=LINES, heading_path=STRINGS, chunk_type=STRING, title=STRING, preview=STRING, text=STRING, why_matched=STRING,
    content_hash=STRING, rank=INTEGER, stale=BOOLEAN, score_breakdown={"type": "object"},
)  # fmt: skip

SUMMARY = record(
    "name", "documents", "chunks", "indexed_at", "write_complete",
    name=STRING, model_version=STRING, indexed_at=STRING, documents=INTEGER, chunks=INTEGER, total_chars=INTEGER,
    bytes_on_disk=INTEGER, failed_path_count=INTEGER, write_complete=BOOLEAN, has_amended_content=BOOLEAN,
    dense_coverage=NUMBER, problem=STRING,
)  # fmt: skip

JOB = record(
    "job_id", "corpus", "work", "state",
    job_id=STRING, corpus=STRING, work=STRING, state={"enum": ["running", "done", "failed", "cancelled"]},
    started_at=STRING, progress={"type": "object"}, result={}, error={"type": "object"},
)  # fmt: skip

AMENDED = record(
    "path",
    "amended_at",
    path=STRING,
    amended_at=STRING,
    chunks_before=INTEGER,
    chunks_after=INTEGER,
    cleared_at=STRING,
)


def envelope(result: Schema) -> Schema:
    """What structured content looks like: the envelope, or an error in its place."""
    return {
        "type": "object",
        "properties": {
            "result": result,
            "tier_used": MAYBE_STRING,
            "model": MAYBE_STRING,
            "tokens_in": INTEGER,
            "tokens_out": INTEGER,
            "elapsed_ms": INTEGER,
            "backend": STRING,
            "warnings": STRINGS,
            "run_id": STRING,
            "cost_cents": NUMBER,
            "degraded": BOOLEAN,
            "degrade_reason": MAYBE_STRING,
            "next_cursor": STRING,
            **ERROR,
        },
        "anyOf": [
            {"required": ["result", "elapsed_ms", "warnings", "run_id"]},
            {"required": ["error", "code", "message", "hint", "retryable"]},
        ],
    }
