"""From scored chunks to hits."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tamis.search.preview import preview
from tamis.types import Hit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tamis.search.plan import Plan
    from tamis.types import ChunkRow, FileRow


def ordered(
    scored: Sequence[tuple[int, float]], chunks: Mapping[int, ChunkRow]
) -> list[tuple[ChunkRow, float]]:
    """Chunks by score descending, path ascending, chunk index ascending."""
    found = [(chunks[key], score) for key, score in scored if key in chunks]
    return sorted(found, key=lambda pair: (-pair[1], pair[0].file.path, pair[0].index))


def head(scored: Sequence[tuple[int, float]], limit: int) -> Sequence[tuple[int, float]]:
    """The best ``limit`` and all that equal the last of them, so that the order among equals can be settled by path."""
    if len(scored) <= limit:
        return scored
    last = scored[limit - 1][1]
    end = limit
    while end < len(scored) and scored[end][1] == last:
        end += 1
    return scored[:end]


def make_hits(
    corpus: str,
    plan: Plan,
    found: Sequence[tuple[ChunkRow, float]],
    breakdowns: Mapping[int, Mapping[str, float]],
) -> tuple[Hit, ...]:
    """Hits in the order given, ranked from 1."""
    stale: dict[str, bool] = {}
    hits: list[Hit] = []
    for rank, (chunk, score) in enumerate(found, 1):
        file = chunk.file
        if file.path not in stale:
            stale[file.path] = is_stale(file)
        hits.append(
            Hit(
                id=f"{corpus}:{chunk.id}",
                corpus=corpus,
                path=file.path,
                score=score,
                chunk_index=chunk.index,
                char_start=chunk.start,
                char_end=chunk.end,
                lines=chunk.lines,
                heading_path=chunk.heading_path,
                chunk_type=chunk.type,
                title=file.title,
                text=chunk.text,
                content_hash=file.content_hash,
                rank=rank,
                preview=preview(chunk.text, plan.query, plan.preview_chars) if plan.preview_chars else None,
                stale=stale[file.path],
                score_breakdown=breakdowns.get(chunk.id, {}),
            )
        )
    return tuple(hits)


def is_stale(file: FileRow) -> bool:
    """Whether the file on disk changed or went since it was indexed or amended; one ``stat``."""
    # A size below 0 was not trusted when the file was read, or there was no file when it was amended; the time tells.
    known = file.stat
    try:
        now = os.stat(file.path)
    except OSError:
        return not (file.amended and known.size < 0)
    return now.st_mtime_ns != known.mtime_ns or (known.size >= 0 and now.st_size != known.size)
