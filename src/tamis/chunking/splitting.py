"""From a section to passages, each overlapping the one before."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tamis.chunking.boundaries import skip_spaces
from tamis.chunking.cutting import Cutter
from tamis.chunking.overlap import overlap_start

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tamis.chunking.blocks import Block
    from tamis.chunking.outline import Path, Section
    from tamis.types import ChunkType


class Passage(NamedTuple):
    """A chunk to be. ``level`` is that of its section's heading, 0 without one; ``entire``: it is the whole section."""

    start: int
    end: int
    type: ChunkType
    path: Path
    level: int
    entire: bool


def split(text: str, section: Section, chars: int, overlap: int) -> Iterator[Passage]:
    """The passages of ``section``, in order.

    Args:
        text: The document's text.
        section: A section of it.
        chars: Longest passage; see ``Cutter`` for the exceptions.
        overlap: Longest repetition of the passage before; more than half of ``chars`` counts as half.
    """
    # Beyond one half the number of chunks, and with it the text to embed, grows without bound.
    overlap = min(overlap, chars // 2)
    cutter = Cutter(text, section.blocks, chars)
    blocks, first = cutter.blocks, 0
    # ``fresh`` is where the passage begins but for its overlap, ``before`` and ``stop`` where the last one began and ended.
    before = stop = fresh = _indented(text, blocks[0].start, chars)
    while fresh < cutter.last:
        repeats = overlap if fresh > before else 0
        cut = cutter.cut(first, fresh, chars - repeats)
        end = cut.end if cut else cutter.last
        start = fresh
        low = max(stop - repeats, end - chars, before + 1)
        if low < stop:
            last = first if blocks[first].start < stop else first - 1
            start = overlap_start(text, blocks, last, before, low, stop)
            start = start if start < stop else fresh
        kind = _type(blocks, first, fresh, end)
        yield Passage(start, end, kind, section.path, section.level, entire=fresh == before and not cut)
        if not cut:
            return
        before, stop, fresh = fresh, end, _indented(text, cut.start, chars)
        while blocks[first].end <= fresh:
            first += 1


def _indented(text: str, at: int, chars: int) -> int:
    """``at``, or the first word behind it where whitespace would fill a good part of the passage."""
    behind = skip_spaces(text, at)
    return behind if behind - at > chars // 4 else at


def _type(blocks: Sequence[Block], first: int, start: int, end: int) -> ChunkType:
    """The type that most of the passage has; heading where there is nothing else."""
    shares: dict[ChunkType, int] = {}
    for number in range(first, len(blocks)):
        block = blocks[number]
        if block.start >= end:
            break
        if block.type != "heading":
            shares[block.type] = shares.get(block.type, 0) + min(block.end, end) - max(block.start, start)
    return max(shares, key=shares.__getitem__) if shares else "heading"
