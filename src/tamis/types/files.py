"""Files, and places in them."""

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
class FailedPath:
    """A path that could not be indexed. ``code`` is an error code, ``reason`` one sentence.

    ``stat``: of the file when it failed, where there was one to stat; it is tried again when that changes.
    """

    path: str
    reason: str
    code: str
    stat: FileStat | None = None


@dataclass(frozen=True, slots=True)
class AmendedPath:
    """One entry of the amend history. Times are ISO 8601, UTC; ``cleared_at``: when the disk's text came back."""

    path: str
    amended_at: str
    chunks_before: int
    chunks_after: int
    cleared_at: str | None = None
