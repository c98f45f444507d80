"""Files written by hand, without a disk or a chunker."""

from __future__ import annotations

from tamis.types import Chunk, FileStat, Lines, NewFile


def file_of(path: str, *passages: str, lexical_only: bool = False) -> NewFile:
    """A file with a chunk for each passage, one line each."""
    chunks, start = [], 0
    for index, text in enumerate(passages):
        chunks.append(
            Chunk(index, text, start, start + len(text), Lines(index + 1, index + 1), ("Top",), "paragraph")
        )
        start += len(text) + 1
    return NewFile(
        path=path,
        relative_path=path.rsplit("/", 1)[-1],
        content_hash=f"hash of {passages}",
        stat=FileStat(start, 1_000),
        title="Title",
        kind="markdown",
        lexical_only=lexical_only,
        chunks=tuple(chunks),
        texts=tuple(passages),
    )
