"""Which characters of a block of prose are markup that a model can do without. Code is never touched.

Everything here finds spans to leave out; nothing is rewritten, so what stays is the source's own text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tamis.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tamis.compress.blocks import Block

_CODE = re.compile(r"(?<!`)(`+)(?!`)(?:.*?)(?<!`)\1(?!`)", re.DOTALL)
# A target may hold one level of brackets; text may not, so a link around an image takes two passes.
_TARGET = r"\([ \t]*(?:<[^<>\n]*>|(?:[^()\s<]|\([^()\s]*\))(?:[^()\s]|\([^()\s]*\))*)?(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'))?[ \t]*\)"
_LINK = re.compile(rf"(?<!\\)(!?\[)([^\[\]]*)(\]{_TARGET}|\]\[[^\[\]\n]*\])")
_TAG = re.compile(r"</?(?:b|i|em|strong|u|s|del|ins|mark|font)(?:\s[^<>\n]*)?>", re.IGNORECASE)
# Between letters or digits a star multiplies.
_STARS = re.compile(r"(?<![*\\A-Za-z0-9])(\*{1,3})(?![*\s])([^*]*?[^*\s\\])\1(?![*A-Za-z0-9])")
_UNDERSCORES = re.compile(r"(?<![\w\\])(_{1,3})(?![_\s])([^_\n]*?[^_\s\\])\1(?!\w)")
_STRUCK = re.compile(r"(?<![~\\])(~~)(?![~\s])([^~\n]*?[^~\s\\])\1(?!~)")
_HEADING = re.compile(r"[ \t]*#{1,6}(?:[ \t]+|$)")
_HEADING_END = re.compile(r"[ \t]+#+[ \t]*$|[ \t]+$", re.MULTILINE)
_TRAILING = re.compile(r"[ \t]+$", re.MULTILINE)


def removals(block: Block, *, inline: bool = True) -> list[Span]:
    """What to leave out of a block, as spans in its text; in order, disjoint.

    ``inline=False`` for plain text, where a star is a star.
    """
    text = block.text
    found: list[Span] = []
    if block.kind == "heading":
        found += _heading_marks(text)
    found += [Span(*match.span()) for match in _TRAILING.finditer(text)]
    if inline and any(mark in text for mark in "[*_~<"):
        found += _inline(text)
    return _merged(found)


def _merged(spans: list[Span]) -> list[Span]:
    """The same characters as disjoint spans in order."""
    result: list[Span] = []
    for span in sorted(spans):
        if result and span.start <= result[-1].end:
            result[-1] = Span(result[-1].start, max(result[-1].end, span.end))
        elif span.end > span.start:
            result.append(span)
    return result


def _heading_marks(text: str) -> Iterator[Span]:
    title, _, underline = text.rstrip("\n").partition("\n")
    if underline:
        yield Span(len(title), len(title) + 1 + len(underline))
        return
    if marks := _HEADING.match(title):
        yield Span(*marks.span())
        if end := _HEADING_END.search(title, marks.end()):
            yield Span(*end.span())


def _inline(text: str) -> Iterator[Span]:
    code = [Span(*match.span()) for match in _CODE.finditer(text)]
    masked = _masked(text, code)
    yield from _comments(masked)
    for match in _TAG.finditer(masked):
        yield Span(*match.span())
    links = list(_LINK.finditer(masked))
    for match in links:
        yield Span(*match.span(1))
        yield Span(*match.span(3))
    # A target's stars and underscores are not emphasis.
    masked = _masked(masked, [Span(*match.span(3)) for match in links])
    for pattern in (_STARS, _UNDERSCORES, _STRUCK):
        for match in pattern.finditer(masked):
            yield Span(*match.span(1))
            yield Span(match.end(2), match.end())


def _comments(text: str) -> Iterator[Span]:
    end = 0
    while (start := text.find("<!--", end)) >= 0 and (close := text.find("-->", start + 4)) >= 0:
        end = close + 3
        yield Span(start, end)


def _masked(text: str, spans: list[Span]) -> str:
    """The text with a word in place of each span, so that offsets stay and no markup is seen there."""
    if not spans:
        return text
    parts: list[str] = []
    position = 0
    for span in spans:
        parts += text[position : span.start], "x" * (span.end - span.start)
        position = span.end
    parts.append(text[position:])
    return "".join(parts)
