"""Blocks of source code: definitions by their first lines, nested by indentation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tamis.chunking.blocks import Block, trimmed
from tamis.chunking.definitions import defined_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tamis.chunking.lines import LineIndex

_MAX_DEPTH = 8  # deeper definitions are part of what they are nested in
# Comments, decorators and attributes belong with the definition below them.
_LEAD = re.compile(r"@|#|//|/\*|\*|--|;;|\[\w|template\b")
_CLOSER = frozenset(")]}")


class _Mark(NamedTuple):
    """Where a section begins; see ``Block``."""

    start: int
    level: int
    title: str


def source_blocks(text: str, index: LineIndex) -> Iterator[Block]:
    """A section for each definition, called by its name, and nameless ones for what follows it outside."""
    before = _Mark(0, 0, "")
    for mark in _marks(text, index):
        yield from _block(text, before, mark.start)
        before = mark
    yield from _block(text, before, len(text))


def _block(text: str, mark: _Mark, stop: int) -> Iterator[Block]:
    end = trimmed(text, mark.start, stop)
    if end > mark.start:
        yield Block(mark.start, end, "code", "lines", mark.level, mark.title)


def _marks(text: str, index: LineIndex) -> Iterator[_Mark]:
    indents: list[int] = []  # of the definitions that a line is within
    lead: tuple[int, int] | None = None  # start and indentation of the comments right above
    blank = True
    for number, start in enumerate(index.starts):
        whole = text[start : index.start_of(number + 1)]
        line = whole.strip()
        if not line:
            lead, blank = None, True
            continue
        indent = len(whole) - len(whole.lstrip())
        name = defined_name(line, outermost=not indent)
        if name:
            while indents and indents[-1] >= indent:
                indents.pop()
            if len(indents) < _MAX_DEPTH:
                indents.append(indent)
                yield _Mark(lead[0] if lead and lead[1] <= indent else start, len(indents), name)
            lead = None
        elif _LEAD.match(line):
            lead = lead or (start, indent)
        else:
            lead = None
            if blank and indents and indent <= indents[-1] and line[0] not in _CLOSER:
                while indents and indents[-1] >= indent:
                    indents.pop()
                yield _Mark(start, len(indents) + 1, "")
        blank = False
