"""A source read and stripped, as far as a budget needs it."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tamis.compress.blocks import blocks
from tamis.compress.sentences import trimmed
from tamis.compress.strip import Kept, Stripper, stripped
from tamis.compress.units import Candidate, Divider
from tamis.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tamis.compress.sources import Source
    from tamis.compress.tokenizers import TokenCounter

_LINE_END = re.compile(r"(?<=\S)[ \t\r]*\n")


@dataclass(slots=True)
class PlainText:
    """The stripped text of a source.

    ``kept`` are the stretches that stay, ``candidates`` what the text may be cut after, both in the source's offsets;
    ``complete`` if the source was read to its end.
    """

    kept: list[Kept]
    candidates: list[Candidate]
    complete: bool
    tokens: int
    _starts: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self._starts = [part.start for part in self.kept]
        self.candidates = [each for each in self.candidates if next(self.slices(each), None)]

    def text(self, end: int | None = None) -> str:
        """What stays of the source before an offset, or of all of it."""
        if end is None:
            return "".join(part.text for part in self.kept)
        count = bisect_right(self._starts, end - 1)
        whole = "".join(part.text for part in self.kept[: count - 1])
        last = self.kept[count - 1]
        return (whole + last.text[: end - last.start]).rstrip()

    def ends(self) -> Iterator[tuple[int, int]]:
        """Where the text may be cut: place of the last candidate that stays, and the offset to cut at.

        After a candidate, and inside code after a line.
        """
        for place, candidate in enumerate(self.candidates):
            if candidate.kind == "code":
                breaks = (match.start() for match in _LINE_END.finditer(candidate.text))
                yield from ((place, candidate.span.start + end) for end in breaks)
            yield place, candidate.span.end

    def slices(self, candidate: Candidate) -> Iterator[Candidate]:
        """What stays of a candidate, as parts that are verbatim in the source."""
        first = max(0, bisect_right(self._starts, candidate.span.start) - 1)
        for part in self.kept[first : bisect_right(self._starts, candidate.span.end - 1)]:
            start = max(part.start, candidate.span.start) - part.start
            end = min(part.start + len(part.text), candidate.span.end) - part.start
            span = trimmed(part.text, Span(start, max(start, end)))
            if candidate.kind == "code":  # its indentation is part of it
                span = Span(start, span.end)
            if span.end > span.start:
                yield replace(
                    candidate,
                    text=part.text[span.start : span.end],
                    span=Span(part.start + span.start, part.start + span.end),
                    line=part.line + part.text.count("\n", 0, span.start),
                )


def read_plain(source: Source, index: int, limit: int, counter: TokenCounter) -> PlainText:
    """Read and strip a source until there are more than ``limit`` tokens."""
    divider = Divider(index, list(source.item.heading_path))
    stripper = Stripper(source.flavour)
    kept: list[Kept] = []
    candidates: list[Candidate] = []
    tokens = 0
    for block in blocks(source.lines(), source.flavour):
        candidates += divider.of(block)
        new = list(stripper.of(block))
        kept += new
        tokens += counter.count("".join(part.text for part in new))
        if tokens > limit:
            return PlainText(stripped(kept, source.flavour), candidates, False, tokens)
    return PlainText(stripped(kept, source.flavour), candidates, True, tokens)
