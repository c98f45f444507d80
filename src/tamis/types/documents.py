"""Files, and the documents and passages that are made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

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
