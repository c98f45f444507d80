"""Blocks of reStructuredText, by a scanner of lines: docutils keeps no offsets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tamis.chunking.blocks import MAX_TITLE_CHARS, Block, trimmed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tamis.chunking.blocks import Form
    from tamis.chunking.lines import LineIndex
    from tamis.types import ChunkType

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*")
_EXPLICIT = re.compile(r"\s*\.\.(?:\s|$)")
_DIRECTIVE = re.compile(r"\s*\.\.[ \t]+[A-Za-z][\w:.+-]*?[ \t]?::(?:\s|$)")
_CODE_DIRECTIVE = re.compile(
    r"\s*\.\.[ \t]+(?i:code|code-block|sourcecode|parsed-literal|prompt|doctest|testcode|testoutput|testsetup|testcleanup"
    r"|ipython|productionlist)[ \t]?::(?:\s|$)"
)
_ITEM = re.compile(
    r"\s*(?:[-*+•]|(?:\d{1,9}|#|[A-Za-z]|[ivxlcdm]{1,6})[.)]|\((?:\d{1,9}|#|[A-Za-z])\)|:[^:\s][^:]*:)(?:[ \t]+|$)"
)
_TABLE = re.compile(r"\s*(?:\+[-=+]+\+$|=+(?:[ \t]+=+)+$|\|[ \t])")
_ROLE = re.compile(r"(?::[\w:.+-]+:)?(`{1,2})([^`]+)\1(?::[\w:.+-]+:|__?)?")
_TARGET = re.compile(r"\s*<[^<>]*>$")
_EMPHASIS = re.compile(r"(\*\*?)(?=\S)([^*]+)(?<=\S)\1")
_TRUSTED_ADORNMENT = 4  # an underline as long as this may be shorter than its title, as in docutils


def restructured_blocks(text: str, index: LineIndex) -> Iterator[Block]:
    """Titles by their adornment (levels in order of first use), code, lists, tables and what lies between them."""
    return _Scanner(text, index).blocks()


class _Scanner:
    def __init__(self, text: str, index: LineIndex) -> None:
        self._text = text
        self._index = index
        self._levels: dict[tuple[str, bool], int] = {}

    def blocks(self) -> Iterator[Block]:
        number = 0
        while number < len(self._index):
            line = self._line(number)
            if not line:
                number += 1
            elif title := self._title(number, line):
                words, style, after = title
                level = self._levels.setdefault(style, len(self._levels) + 1)
                yield self._block(number, after, "heading", "prose", level, _plain_title(words))
                number = after
            elif _CODE_DIRECTIVE.match(line):
                after = self._indented(number + 1, _indent(line))
                yield self._block(number, after, "code", "whole")
                number = after
            else:
                after = self._group(number)
                yield self._block(number, after, *_kind(line))
                number = after
                if (margin := self._literal_margin(line, after)) is not None:
                    after = self._indented(number, margin)
                    if self._text[self._index.start_of(number) : self._index.start_of(after)].strip():
                        yield self._literal(number, after)
                        number = after

    def _line(self, number: int) -> str:
        if number >= len(self._index):
            return ""
        return self._text[self._index.start_of(number) : self._index.start_of(number + 1)].rstrip()

    def _block(
        self, first: int, after: int, chunk_type: ChunkType, form: Form, level: int = 0, title: str = ""
    ) -> Block:
        start = self._index.start_of(first)
        end = trimmed(self._text, start, self._index.start_of(after))
        return Block(start, end, chunk_type, form, level, title)

    def _title(self, number: int, line: str) -> tuple[str, tuple[str, bool], int] | None:
        """The words of the title that begins on a line, its style, and the line behind it."""
        under = self._line(number + 1)
        if _ADORNMENT.fullmatch(line):
            if under.strip() and self._line(number + 2) == line and _reaches(line, under):
                return under.strip(), (line[0], True), number + 3
        elif (
            not line[0].isspace() and under != "::" and _ADORNMENT.fullmatch(under) and _reaches(under, line)
        ):
            return line, (under[0], False), number + 2
        return None

    def _group(self, number: int) -> int:
        """The line behind the paragraph that begins on a line; explicit markup ends with its indentation, too."""
        line = self._line(number)
        margin = _indent(line) if _EXPLICIT.match(line) else -1
        number += 1
        while (line := self._line(number)) and _indent(line) > margin:
            number += 1
        return number

    def _indented(self, number: int, margin: int) -> int:
        """The line behind those that are blank or indented by more than ``margin``."""
        while number < len(self._index) and ((line := self._line(number)) == "" or _indent(line) > margin):
            number += 1
        return number

    def _literal_margin(self, first: str, after: int) -> int | None:
        """The indentation of a paragraph that announces a literal block, counted behind the marker of an item."""
        line = self._line(after - 1)
        directive = _DIRECTIVE.match(line) if line == first else None
        if not line.endswith("::") or (directive and directive.end() == len(line)):
            return None
        item = _ITEM.match(line)
        return item.end() if item else _indent(line)

    def _literal(self, number: int, after: int) -> Block:
        while not self._line(number):
            number += 1
        return self._block(number, after, "code", "whole")


def _kind(line: str) -> tuple[ChunkType, Form]:
    if line.lstrip().startswith(">>> "):
        return "code", "whole"
    if _TABLE.match(line):
        return "paragraph", "lines"
    return ("list", "items") if _ITEM.match(line) else ("paragraph", "prose")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _reaches(adornment: str, title: str) -> bool:
    return len(adornment) >= min(_TRUSTED_ADORNMENT, len(title))


def _plain_title(words: str) -> str:
    words = _ROLE.sub(lambda match: _TARGET.sub("", match[2]) or match[2], words[: 2 * MAX_TITLE_CHARS])
    words = _EMPHASIS.sub(r"\2", words).replace("\\", "")
    return " ".join(words.split())[:MAX_TITLE_CHARS].rstrip()
