"""Text to lines, lazily, and what is known once they have all gone by."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tamis.compress.tokenizers import TokenCounter

# A longer line goes on in pieces, cut at white space or a mark: memory stays bounded when a file is a single line.
MAX_LINE_CHARS = 16_384
# How much text is counted and hashed at a time.
_CHUNK_CHARS = 65_536

_LINE = re.compile(r"[^\n]*\n|[^\n]+")


def lines_of(text: str) -> Iterator[str]:
    """The lines of a text with their ends; a very long one in pieces. Only a newline ends a line."""
    for match in _LINE.finditer(text):
        line = match[0]
        if len(line) <= MAX_LINE_CHARS:
            yield line
        else:
            yield from _pieces(line)


def rejoined(chunks: Iterable[str]) -> Iterator[str]:
    """The same text in chunks that end where a line does, unless there is a line too long for that."""
    rest = ""
    for chunk in chunks:
        rest += chunk
        end = rest.rfind("\n") + 1
        if end:
            yield rest[:end]
            rest = rest[end:]
        elif len(rest) > _CHUNK_CHARS:
            *pieces, rest = _pieces(rest)
            yield from pieces
    if rest:
        yield rest


@dataclass(slots=True)
class Meter:
    """Counts the tokens and hashes the text of the chunks that pass through it."""

    counter: TokenCounter
    tokens: int = 0
    _digest: hashlib._Hash = field(default_factory=hashlib.sha256)  # pyright: ignore[reportPrivateUsage]

    def lines(self, chunks: Iterable[str]) -> Iterator[str]:
        """The lines of all chunks."""
        for chunk in rejoined(chunks):
            self.tokens += self.counter.count(chunk)
            self._digest.update(chunk.encode("utf-8", "surrogatepass"))
            yield from lines_of(chunk)

    @property
    def content_hash(self) -> str:
        """The hex SHA-256 of the UTF-8 of what has passed."""
        return self._digest.hexdigest()


def _pieces(line: str) -> Iterator[str]:
    start = 0
    while len(line) - start > MAX_LINE_CHARS:
        end = start + MAX_LINE_CHARS
        end = _last_cut(line, start + MAX_LINE_CHARS // 2, end) or end
        yield line[start:end]
        start = end
    yield line[start:]


def _last_cut(line: str, start: int, end: int) -> int:
    """After the last white space of a stretch, else after the last mark that data is parted by, else 0."""
    return line.rfind(" ", start, end) + 1 or max(line.rfind(mark, start, end) for mark in ",;}]>") + 1
