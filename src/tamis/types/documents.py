"""What an index run makes of files: documents, and passages to be written and embedded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tamis.types.files import ChunkType, FileStat, Kind, Lines


@dataclass(frozen=True, slots=True)
class Source:
    """A regular file that a walk found, not read yet: its resolved absolute path and its stat."""

    path: str
    stat: FileStat


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
