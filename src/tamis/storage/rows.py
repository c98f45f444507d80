"""From rows of SQL to values, and back where a value is stored as JSON."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import msgspec

from tamis.types import ChunkRow, FileRow, FileStat, Fingerprint, Lines, Manifest

if TYPE_CHECKING:
    from collections.abc import Sequence

FILE_COLUMNS = """f.id, f.path, f.relative_path, f.content_hash, f.size, f.mtime_ns, f.title, f.kind,
 f.lexical_only, f.amended, f.chunks"""
FILE_WIDTH = 11
CHUNK_COLUMNS = """c.id, c.chunk_index, c.text, c.char_start, c.char_end, c.line_first, c.line_last,
 c.heading_path, c.type"""

_manifest = msgspec.json.Decoder(Manifest)
_headings = msgspec.json.Decoder(tuple[str, ...])
encode = msgspec.json.encode


def text_hash(text: str) -> bytes:
    """What tells embedded texts apart."""
    return blake2b(text.encode(), digest_size=16).digest()


def manifest(text: str) -> Manifest:
    return _manifest.decode(text)


def fingerprint(text: str) -> Fingerprint:
    return msgspec.json.decode(text, type=Fingerprint)


def headings(text: str) -> tuple[str, ...]:
    return _headings.decode(text)


def file(row: Sequence[Any]) -> FileRow:
    """A file from ``FILE_COLUMNS``, which the row begins with."""
    key, path, relative, digest, size, mtime_ns, title, kind, lexical_only, amended, chunks = row[:FILE_WIDTH]
    return FileRow(
        key,
        path,
        relative,
        digest,
        FileStat(size, mtime_ns),
        title,
        kind,
        bool(lexical_only),
        bool(amended),
        chunks,
    )


def chunk(row: Sequence[Any], of: FileRow) -> ChunkRow:
    """A chunk from ``CHUNK_COLUMNS``."""
    key, index, text, start, end, first, last, heading_path, kind = row
    return ChunkRow(
        key, of, index, text, start, end, Lines(first, last), _headings.decode(heading_path), kind
    )
