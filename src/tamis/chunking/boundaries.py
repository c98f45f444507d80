"""Places to cut a text within a window, from the best kind to the worst.

A cut is an end and a start: what lies between them is whitespace, and belongs to neither side. A window ``(low, high]``
bounds the end. Each function looks at no more text than its window and the whitespace behind it. ``anchor`` is a
grapheme boundary at or before the window and near it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tamis.chunking.blocks import trimmed
from tamis.chunking.lines import LINE_END

if TYPE_CHECKING:
    from collections.abc import Iterator


class Cut(NamedTuple):
    """The left side's end and the right side's start."""

    end: int
    start: int


_SPACES = re.compile(r"\s*")
_SPACE_RUN = re.compile(r"\s+")
_BLANK_LINES = re.compile(r"(?:\r\n?|\n)[^\S\r\n]*(?:\r\n?|\n)")
_ITEM = re.compile(r"[-*+•|]|\d{1,9}[.)]|[#A-Za-z][.)]\s|:\w")
_CLOSER = re.compile(r"[)\]}>]|(?:end|else|elif|except|finally|catch|then|fi|done|esac)\b")
# Most scripts put a space behind a sentence, Chinese and Japanese do not; quotes and brackets may close behind it.
_SENTENCE_END = re.compile(
    r"[.!?…‽؟۔।॥։።፧။]+[\"'”’»)\]*_`]*(?=\s)|[。！？｡︒﹒．]+[」』”’】）〉》]*",
)
_LAST_WORD = re.compile(r"(?:^|[\s(\[\"'“‘])([^\s(\[\"'“‘]{1,8})$")
_ABBREVIATION = re.compile(
    r"(?i:mrs?|ms|dr|prof|st|[js]r|inc|ltd|etc|vs|cf|al|nos?|figs?|eq|sec|ch|vol|pp?|ca|approx|e\.g|i\.e)|[A-Z]"
)


def blank_line_cuts(text: str, low: int, high: int) -> Iterator[Cut]:
    """Between paragraphs; the right side keeps its indentation."""
    behind = low
    for match in _BLANK_LINES.finditer(text, low, high + 2):
        if match.start() >= behind:
            end = trimmed(text, low, match.start())
            if low < end <= high:
                start, behind = next_line(text, match.start())
                yield Cut(end, start)


def line_cuts(text: str, low: int, high: int, *, items: bool) -> Iterator[tuple[int, Cut]]:
    """Before lines that may stand first, each with its badness: twice its indentation, and one for want of a blank line
    before it. ``items``: only lines that begin with a list marker or come after a blank line."""
    behind = low
    for match in LINE_END.finditer(text, low, high + 2):
        if match.start() < behind:
            continue
        end = trimmed(text, low, match.start())
        if not low < end <= high:
            continue
        start, behind = next_line(text, match.start())
        blank = start > match.end()
        if (blank or _ITEM.match(text, behind)) if items else not _CLOSER.match(text, behind):
            yield 2 * (behind - start) + (not blank), Cut(end, start)


def sentence_cuts(text: str, low: int, high: int, anchor: int) -> Iterator[Cut]:
    """Behind the end of a sentence; abbreviations and enumerators end none."""
    for match in _SENTENCE_END.finditer(text, low, high + 1):
        cut = Cut(match.end(), skip_spaces(text, match.end()))
        if low < cut.end <= high and not _goes_on(text, match.start(), cut) and _whole(text, cut, anchor):
            yield cut


def space_cuts(text: str, low: int, high: int, anchor: int) -> Iterator[Cut]:
    """Between words that have whitespace between them."""
    for match in _SPACE_RUN.finditer(text, low, high + 1):
        cut = Cut(match.start(), skip_spaces(text, match.end()))
        if low < cut.end <= high and _whole(text, cut, anchor):
            yield cut


def edge_cuts(text: str, low: int, high: int, anchor: int, *, unspaced: bool) -> Iterator[Cut]:
    """Between words by the rules of Unicode, where no whitespace is needed.

    ``unspaced``: only beside letters of scripts that are written without spaces.
    """
    if text[low : high + 1].isascii():
        edges = [] if unspaced else [match.start() for match in _ASCII_EDGE.finditer(text, low, high + 1)]
    else:
        from tamis.chunking.graphemes import word_edges

        edges = word_edges(text, low, high, anchor, unspaced=unspaced)
    for at in edges:
        if low < at <= high and not text[at - 1].isspace():  # or indentation would be all of the left side
            yield Cut(at, at)


def grapheme_cut(text: str, start: int, high: int) -> Cut:
    """The last place in ``(start, high]`` that breaks no grapheme, or the first one there is."""
    if text[start : high + 1].isascii():
        return Cut(high, high)
    from tamis.chunking.graphemes import last_boundary

    at = last_boundary(text, start, high)
    return Cut(at, at)


def next_line(text: str, at: int) -> tuple[int, int]:
    """Where the next line that is not blank starts, and its first character that is no whitespace."""
    behind = skip_spaces(text, at)
    return max(text.rfind("\n", at, behind), text.rfind("\r", at, behind)) + 1, behind


def skip_spaces(text: str, at: int) -> int:
    """The first character from ``at`` on that is no whitespace."""
    match = _SPACES.match(text, at)
    return match.end() if match else at


# A letter or digit beside something else, but for what joins the parts of a number or a contraction.
_ASCII_EDGE = re.compile(r"(?<=\w)(?=[^\w'.,:])|(?<=[^\w'.,:])(?=\w)")


def _goes_on(text: str, at: int, cut: Cut) -> bool:
    """Whether the full stop at ``at`` only looks like a sentence's end."""
    if cut.start == cut.end:
        return False
    if text[cut.start : cut.start + 1].islower():
        return True
    if text[at] != ".":
        return False
    word = _LAST_WORD.search(text, max(0, at - 9), at)
    if not word:
        return False
    if word[1].isdigit():  # "1." opens an item, "in 2019." closes a sentence
        lead = text[max(0, at - 16) : word.start(1)].rstrip(" \t")
        return not lead or lead[-1] in "\r\n"
    return _ABBREVIATION.fullmatch(word[1]) is not None


def _whole(text: str, cut: Cut, anchor: int) -> bool:
    """Whether no grapheme runs across either side of a cut."""
    around = text[cut.end - 1 : cut.end + 1] + text[max(cut.end, cut.start - 1) : cut.start + 1]
    if around.isascii():
        return True
    from tamis.chunking.graphemes import is_boundary

    return is_boundary(text, cut.end, anchor) and is_boundary(text, cut.start, anchor)
