"""Strip: leave out what a model does not need, and keep the rest letter for letter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tamis.compress.blocks import Block, blocks
from tamis.compress.lines import lines_of
from tamis.compress.markup import removals
from tamis.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tamis.compress.blocks import Flavour

# Leaving markup out can bring markup to light: a link around an image, a heading that was quoted. Real documents take
# two or three passes; the limit is there for text that was made to take thousands.
MAX_PASSES = 64


@dataclass(frozen=True, slots=True)
class Kept:
    """A stretch that stays: ``text`` starts at ``start`` and on ``line`` (from 0) of the source."""

    text: str
    start: int
    line: int


class Stripper:
    """One pass over the blocks of a text; remembers nothing but the gap that it stands in."""

    def __init__(self, flavour: Flavour) -> None:
        self._inline = flavour != "text"
        self._gap: Block | None = None
        self._started = False

    def of(self, block: Block) -> Iterator[Kept]:
        """The stretches of the next block that stay, in order, after one empty line if there was any."""
        if block.kind in ("blank", "frontmatter", "comment", "noise", "rule"):
            self._gap = self._gap if self._gap and self._gap.kind == "blank" else block
            return
        if self._started and self._gap and (blank := _blank_line(self._gap)):
            yield blank
        self._gap, self._started = None, True
        yield from _of_block(block, self._inline)


def stripped(parts: Iterable[Kept], flavour: Flavour) -> list[Kept]:
    """The same stretches, stripped again until there is nothing to leave out, without white space at the ends."""
    current = list(parts)
    for _ in range(MAX_PASSES):
        text = "".join(part.text for part in current)
        stripper = Stripper(flavour)
        again = [part for block in blocks(lines_of(text), flavour) for part in stripper.of(block)]
        if sum(len(part.text) for part in again) == len(text):
            break
        current = list(compose(current, again))
    return list(_without_ends(current))


def compose(outer: list[Kept], inner: Iterable[Kept]) -> Iterator[Kept]:
    """``inner`` lies in the text that ``outer`` makes; where is it in the source?"""
    index = offset = 0
    for part in inner:
        start, end = part.start, part.start + len(part.text)
        while start < end:
            while offset + len(outer[index].text) <= start:
                offset += len(outer[index].text)
                index += 1
            source = outer[index]
            first, last = start - offset, min(end - offset, len(source.text))
            yield Kept(
                source.text[first:last], source.start + first, source.line + source.text.count("\n", 0, first)
            )
            start = offset + last


def _blank_line(gap: Block) -> Kept | None:
    """What stays of what stood between two blocks: the end of one of its lines, which parts the paragraphs."""
    if gap.kind not in ("blank", "rule"):
        return None
    end = gap.text.find("\n")
    return Kept("\n", gap.start + end, gap.line) if end >= 0 else None


def _of_block(block: Block, inline: bool) -> Iterator[Kept]:
    code = block.kind in ("code", "fence_open", "fence_close")
    left_out = [] if code else removals(block, inline=inline)
    position = 0
    for span in [*left_out, Span(len(block.text), len(block.text))]:
        if span.start > position:
            yield Kept(
                block.text[position : span.start],
                block.start + position,
                block.line + block.text.count("\n", 0, position),
            )
        position = span.end


def _without_ends(parts: list[Kept]) -> Iterator[Kept]:
    """The stretches without the white space that the whole starts and ends with."""
    while parts and not parts[0].text.strip():
        parts = parts[1:]
    while parts and not parts[-1].text.strip():
        parts = parts[:-1]
    for index, part in enumerate(parts):
        text, start, line = part.text, part.start, part.line
        if index == 0:
            text = text.lstrip("\n")
            skipped = len(part.text) - len(text)
            start, line = start + skipped, line + skipped
        if index == len(parts) - 1:
            text = text.rstrip()
        yield Kept(text, start, line)
