"""Text of an indexed document, put together from its chunks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.chunking import LineIndex
from tamis.errors import InputError, NotDocumentError
from tamis.library.paths import storable
from tamis.search.hits import is_stale
from tamis.types import Lines, Passage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.storage import Snapshot
    from tamis.types import ChunkRow, FileRow


MAX_DIGITS = 18  # of an id that SQLite can have


def get(snapshot: Snapshot, target: str, lines: Lines | None) -> Passage:
    """A chunk by its id, or a document by its path, whole or some lines of it.

    Raises:
        NotDocumentError: The corpus has no such chunk or document.
        InputError: The lines are not in the document.
    """
    corpus = snapshot.manifest.name
    if target.isdecimal():
        chunk = snapshot.chunks([int(target)]).get(int(target)) if len(target) <= MAX_DIGITS else None
        if chunk is None:
            raise NotDocumentError(
                f"{corpus} has no chunk {target} any more", hint="search again for its new id"
            )
        if lines is None:
            return _passage(corpus, chunk.file, chunk.text, chunk.lines, chunk.start, chunk.index)
        file = chunk.file
    else:
        file = _file(snapshot, target)
    text = whole_text(snapshot.chunks_of(file))
    if lines is None:
        return _passage(corpus, file, text, Lines(1, max(1, len(LineIndex(text)))), 0, None)
    index = LineIndex(text)
    start, end = index.span_of(*lines)
    shown = Lines(lines.first, min(lines.last, len(index)))
    return _passage(corpus, file, text[start:end], shown, start, None)


def whole_text(chunks: Sequence[ChunkRow]) -> str:
    """The document's text: the chunks at their offsets; between them there is white space, of which the lines are kept."""
    parts: list[str] = []
    end, line = 0, 1
    for chunk in chunks:
        if chunk.end <= end:
            continue
        if chunk.start > end:
            breaks = min(chunk.start - end, max(0, chunk.lines.first - line))
            parts.append("\n" * breaks + " " * (chunk.start - end - breaks))
        parts.append(chunk.text[max(0, end - chunk.start) :])
        end, line = chunk.end, chunk.lines.last
    return "".join(parts)


def _file(snapshot: Snapshot, target: str) -> FileRow:
    file = snapshot.files_at([target]).get(target) if storable(target) else None
    if file is None:
        matching = [row for row in snapshot.files() if target in (row.relative_path, row.path)]
        matching = matching or [
            row for row in snapshot.files() if row.path.endswith("/" + target.lstrip("/"))
        ]
        if len(matching) > 1:
            names = ", ".join(row.path for row in matching[:5])
            raise InputError(f"{target!r} names {len(matching)} documents", hint=f"say which: {names}")
        if not matching:
            raise NotDocumentError(
                f"{snapshot.manifest.name} has no document {target!r}",
                hint="give a path or an id that a search returned",
            )
        file = matching[0]
    return file


def _passage(corpus: str, file: FileRow, text: str, lines: Lines, start: int, index: int | None) -> Passage:
    return Passage(
        corpus=corpus,
        path=file.path,
        title=file.title,
        text=text,
        lines=lines,
        char_start=start,
        char_end=start + len(text),
        content_hash=file.content_hash,
        chunk_index=index,
        stale=is_stale(file),
    )
