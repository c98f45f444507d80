"""Blocks to candidates: the smallest parts that may be kept or left on their own."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tamis.compress.blocks import Block, blocks
from tamis.compress.sentences import bounded, sentences, trimmed
from tamis.types import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tamis.compress.blocks import Flavour
    from tamis.compress.values import UnitKind

# A list item up to this long is one unit; a longer one is kept by its sentences.
MAX_ITEM_CHARS = 300
# A group of lines of code that takes a larger share of the room is kept by its lines.
CODE_SHARE = 1 / 3
# Parts of what is longer than the room take about this share of it, and are at least so long.
FRAGMENT_SHARE = 0.4
MIN_FRAGMENT_CHARS = 24
# In less room than this a part of a sentence says nothing.
MIN_ROOM_TOKENS = 16

_HEADING_MARKS = re.compile(r"^[ \t]*#{1,6}[ \t]*|[ \t]*#*[ \t]*$|\n.*", re.DOTALL)
_LINE = re.compile(r"[^\n]*\S")
_FENCE_MARKS = re.compile(r"`{3,}|~{3,}")


@dataclass(slots=True, eq=False)
class Candidate:
    """A part of an item's text that may be kept.

    ``item`` and ``number`` give its place in the reading order, ``block`` tells which candidates stood together, and
    ``line`` counts from 0. ``needs`` are the earlier candidates that it makes no sense without: the heading above, the
    table's head; ``leads`` marks those, which say little alone. ``fence`` is the opening line of the code block that it
    is in, if that has fences; ``listing`` tells that block from others. ``fragment`` marks a part of a sentence or line
    that is too long to be kept whole.
    """

    text: str
    kind: UnitKind
    span: Span
    line: int
    item: int
    number: int
    block: int
    heading_path: tuple[str, ...]
    needs: tuple[Candidate, ...] = ()
    leads: bool = False
    fence: str = ""
    listing: int = -1
    fragment: bool = False

    @property
    def closing(self) -> str:
        """What closes ``fence``."""
        marks = _FENCE_MARKS.search(self.fence)
        return self.fence[: marks.start()].replace("-", " ").replace("*", " ") + marks[0] if marks else ""


@dataclass(frozen=True, slots=True)
class Room:
    """The tokens that there are for a candidate: what takes more is divided."""

    tokens: int
    count: Callable[[str], int]

    def share(self, text: str) -> float:
        """How much of the room a text takes; 0 if that is little."""
        if len(text) <= self.tokens * CODE_SHARE:
            return 0.0
        return self.count(text) / max(1, self.tokens)


def candidates(
    lines: Iterable[str],
    flavour: Flavour,
    item: int = 0,
    heading_path: tuple[str, ...] = (),
    *,
    room: Room | None = None,
    metadata: bool = False,
) -> Iterator[Candidate]:
    """The candidates of one item's text, in reading order.

    With ``room``, parts of those that take more than it. Front matter makes some only with ``metadata``.
    """
    divider = Divider(item, list(heading_path), room, metadata)
    for block in blocks(lines, flavour):
        yield from divider.of(block)


@dataclass(slots=True)
class Divider:
    """Divides one item's blocks; remembers the section, table and listing that it is in."""

    item: int
    path: list[str]
    room: Room | None = None
    metadata: bool = False
    blocks: int = 0
    count: int = 0
    heading: Candidate | None = None
    table: Candidate | None = None
    fence: str = ""
    listing: int = -1
    levels: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.levels = [0] * len(self.path)

    def of(self, block: Block) -> Iterator[Candidate]:
        """The candidates of the next block."""
        number = self.blocks
        self.blocks += 1
        if block.kind not in ("table_head", "table_row", "blank"):
            self.table = None
        match block.kind:
            case "heading":
                self._enter(block)
                self.heading = None
                self.heading = self._make(block, number, "heading", leads=True)
                yield self.heading
            case "paragraph":
                yield from self._parts(block, number, "sentence")
            case "list_item":
                yield from self._parts(block, number, "list_item")
            case "frontmatter" if self.metadata:
                yield from self._metadata(block, number)
            case "table_head":
                self.table = self._make(block, number, "table_row", leads=True)
                yield self.table
            case "table_row":
                yield self._make(block, number, "table_row")
            case "code" if block.text.strip():
                yield from self._code(block, number)
            case _:
                self._fence(block, number)

    def _fence(self, block: Block, number: int) -> None:
        if block.kind == "fence_open":
            self.fence, self.listing = block.text.rstrip(), number
        elif block.kind == "fence_close":
            self.fence = ""

    def _make(
        self,
        block: Block,
        number: int,
        kind: UnitKind,
        span: Span | None = None,
        *,
        leads: bool = False,
        fragment: bool = False,
    ) -> Candidate:
        """A candidate of a part of a block, or of all of it."""
        text = block.text
        if span is None:
            span = trimmed(text, Span(0, len(text)))
            if kind == "code":  # its indentation is part of it
                span = Span(text.rfind("\n", 0, span.start) + 1, span.end)
        candidate = Candidate(
            text=text[span.start : span.end],
            kind=kind,
            span=Span(block.start + span.start, block.start + span.end),
            line=block.line + text.count("\n", 0, span.start),
            item=self.item,
            number=self.count,
            block=number,
            heading_path=tuple(self.path),
            needs=tuple(need for need in (self.heading, self.table) if need),
            leads=leads,
            fence=self.fence if kind == "code" else "",
            listing=self.listing if self.fence and kind == "code" else -1,
            fragment=fragment,
        )
        self.count += 1
        return candidate

    def _parts(self, block: Block, number: int, kind: UnitKind) -> Iterator[Candidate]:
        if kind == "list_item" and len(block.text) <= MAX_ITEM_CHARS and self._share(block.text) <= 1:
            yield self._make(block, number, kind)
            return
        for span in sentences(block.text):
            yield from self._pieces(block, number, kind, span)

    def _code(self, block: Block, number: int) -> Iterator[Candidate]:
        """A group of lines of code, or its lines where the group takes too much of the room."""
        if self._share(block.text) <= CODE_SHARE:
            yield self._make(block, number, "code")
            return
        for line in _LINE.finditer(block.text):
            yield from self._pieces(block, number, "code", Span(*line.span()))

    def _pieces(self, block: Block, number: int, kind: UnitKind, span: Span) -> Iterator[Candidate]:
        """A part of a block, or parts of it where it takes more than the room."""
        text = block.text[span.start : span.end]
        share = self._share(text)
        if share <= 1 or not self.room or self.room.tokens < MIN_ROOM_TOKENS:
            yield self._make(block, number, kind, span)
            return
        limit = max(MIN_FRAGMENT_CHARS, int(len(text) * FRAGMENT_SHARE / share))
        parts = bounded(block.text, span, limit, code=kind == "code")
        if len(parts) > 1 and parts[-1].end - parts[-1].start < limit / 2:  # a last word alone says nothing
            parts[-2:] = [Span(parts[-2].start, parts[-1].end)]
        for part in parts:
            yield self._make(block, number, kind, part, fragment=True)

    def _share(self, text: str) -> float:
        return self.room.share(text) if self.room else 0.0

    def _metadata(self, block: Block, number: int) -> Iterator[Candidate]:
        offset = 0
        lines = block.text.splitlines(keepends=True)
        for line in lines[:-1]:
            if offset and line.strip():
                yield self._make(
                    block, number, "frontmatter", trimmed(block.text, Span(offset, offset + len(line)))
                )
            offset += len(line)

    def _enter(self, block: Block) -> None:
        """Step into the section that a heading opens."""
        title = _HEADING_MARKS.sub("", block.text.strip("\n")).strip()
        if title in self.path:  # a passage that starts with the last heading of the path it came with
            del self.path[self.path.index(title) :], self.levels[len(self.path) :]
        while self.levels and self.levels[-1] >= block.level:
            self.levels.pop()
            self.path.pop()
        self.path.append(title)
        self.levels.append(block.level)
