"""Blocks of Markdown (CommonMark with front matter and tables), from markdown-it-py's line maps."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from tamis.chunking.blocks import Block, trimmed
from tamis.chunking.frontmatter import front_matter
from tamis.chunking.inline import plain_title

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

    from tamis.chunking.blocks import Form
    from tamis.chunking.lines import LineIndex
    from tamis.types import ChunkType

# Tokens can take a hundred times the room of the text behind them, and a line of one letter as many as a long one, so a
# document is parsed a window of so many characters and lines at a time.
_WINDOW = 1 << 18
_WINDOW_LINES = 1 << 16
_MAX_GROWTH = 4  # of a window, for the sake of one container

_TABLE_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_LISTS = {"bullet_list_open": 1, "ordered_list_open": 1, "bullet_list_close": -1, "ordered_list_close": -1}
_LEAVES: dict[str, tuple[ChunkType, Form]] = {
    "heading_open": ("heading", "prose"),
    "paragraph_open": ("paragraph", "prose"),
    "list_item_open": ("list", "items"),
    "fence": ("code", "whole"),
    "code_block": ("code", "whole"),
    "html_block": ("paragraph", "lines"),
    "hr": ("paragraph", "prose"),
}


class _Mark(NamedTuple):
    """A block's first line, from 0; it ends where the next begins."""

    line: int
    type: ChunkType
    form: Form
    level: int = 0
    title: str = ""


def markdown_blocks(text: str, index: LineIndex) -> Iterator[Block]:
    """Front matter (with its title), headings outside lists and quotes, and what lies between them.

    Every line belongs to the block that began last, so that none is lost: reference definitions, the markers of an
    empty quote, what is nested deeper than the parser goes.
    """
    start = 1 if text.startswith("\ufeff") else 0
    line = 0
    if matter := front_matter(text, start):
        end, title = matter
        yield Block(0, trimmed(text, 0, end), "frontmatter", "lines", title=title)
        line = index.line_of(end - 1)
    start = index.start_of(line)
    mark = _Mark(line, "paragraph", "prose")
    for following in _marks(text, index, line):
        at = index.start_of(following.line)
        yield from _block(text, start, at, mark)
        start, mark = at, following
    yield from _block(text, start, len(text), mark)


def _block(text: str, start: int, end: int, mark: _Mark) -> Iterator[Block]:
    end = trimmed(text, start, end)
    if end > start:
        yield Block(start, end, mark.type, mark.form, mark.level, mark.title)


def _marks(text: str, index: LineIndex, line: int) -> Iterator[_Mark]:
    """Parse window after window, each beginning with the block that the one before it may have cut short."""
    parser = _parser()
    growth = 1
    while line < len(index):
        begin = index.start_of(line)
        most = line + _WINDOW_LINES * max(1, growth // _MAX_GROWTH)
        stop = min(index.line_of(min(begin + growth * _WINDOW, len(text) - 1)), most)
        window = text[begin : index.start_of(stop)]
        if window.isspace():
            line = stop
            continue
        tokens = parser.parse(window.removeprefix("\ufeff") if begin == 0 else window)
        lines = stop - line
        end = lines if stop == len(index) else _resume(tokens, lines, final=False)
        filled = not end  # by one block; a container of that size likely fills the next window as well
        if filled and (growth >= _MAX_GROWTH or stop == most):
            end = _resume(tokens, lines, final=True)
        if not end:
            growth = 2 * growth if stop < most else max(2 * growth, 2 * _MAX_GROWTH)
            continue
        yield from _read(tokens, line, end)
        line += end
        growth = growth if filled else 1


def _resume(tokens: Sequence[Token], end: int, *, final: bool) -> int:
    """The line, in a window of ``end`` lines, of the last block: it may go on beyond the window."""
    tops = [token for token in tokens if token.level == 0 and token.map]
    if not tops:
        return end
    line = _line(tops[-1])
    if line or not final or tops[-1].nesting == 0:
        return line
    # One list or quote as long as this: go on with its last child, or for want of one behind the window.
    return max((_line(token) for token in tokens if token.level == 1 and token.map), default=0) or end


def _line(token: Token) -> int:
    return token.map[0] if token.map else 0


def _read(tokens: Sequence[Token], first: int, end: int) -> Iterator[_Mark]:
    """A mark for each leaf that begins before line ``end`` of the window."""
    lists = 0
    for number, token in enumerate(tokens):
        lists += _LISTS.get(token.type, 0)
        kind = _LEAVES.get(token.type)
        if kind is None:
            continue
        line = _line(token)
        if line >= end:
            return
        if token.type == "heading_open" and token.level == 0:
            title = plain_title(tokens[number + 1].content)
            yield _Mark(first + line, "heading", "prose", int(token.tag[1:]), title)
        elif kind[1] == "whole":
            yield _Mark(first + line, "code", "whole")
        elif lists:
            yield _Mark(first + line, "list", "items")
        elif token.type == "paragraph_open" and _is_table(tokens[number + 1].content):
            yield _Mark(first + line, "paragraph", "lines")
        else:
            yield _Mark(first + line, "paragraph", kind[1])


def _is_table(content: str) -> bool:
    head = content.find("\n")
    if head < 0 or "|" not in content[:head]:
        return False
    rule = content.find("\n", head + 1)
    return bool(_TABLE_RULE.match(content[head + 1 : rule if rule >= 0 else len(content)].strip()))


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark")
    # Inline structure is not needed, and costs half the time; definitions must stay blocks, or their lines have none.
    parser.core.ruler.enableOnly(["normalize", "block"])
    parser.block.ruler.disable(["reference"])
    parser.parse("a")  # compiles the rules, which is not safe to do in two threads at once
    return parser
