"""A hit to make others from."""

from __future__ import annotations

from tamis.types import Hit, Lines

HIT = Hit(
    id="notes:1",
    corpus="notes",
    path="a.md",
    score=1.0,
    chunk_index=0,
    char_start=0,
    char_end=1,
    lines=Lines(1, 1),
    heading_path=(),
    chunk_type="paragraph",
    title="",
    text="a",
    content_hash="",
    rank=1,
)
