"""Where a text may be cut without breaking a character that a reader sees as one (Unicode TR 29), or a word of a
script that puts no spaces between words. Imported only for texts that need it: the ``regex`` module takes a while."""

from __future__ import annotations

import regex

# Python strings can hold both halves of a surrogate pair as two characters; \X would part them.
_GRAPHEME = regex.compile(r"[\ud800-\udbff][\udc00-\udfff]|\X")
# Pairs between which there always is a boundary, whatever stands around them (rules GB4 to GB9 of TR 29).
_PLAIN_PAIR = regex.compile(
    r"[\p{GCB=Other}\p{GCB=LV}\p{GCB=LVT}\p{GCB=LF}]"
    r"[\p{GCB=Other}\p{GCB=LV}\p{GCB=LVT}\p{GCB=L}\p{GCB=CR}\p{GCB=LF}]"
)
_UNSPACED = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
_WORD_EDGE = regex.compile(r"(?w)\b")
_UNSPACED_EDGE = regex.compile(rf"(?w)\b(?:(?={_UNSPACED})|(?<={_UNSPACED}))")
_CONTEXT = 64  # how far beyond the window the rules may look


def is_boundary(text: str, at: int, anchor: int) -> bool:
    """Whether no grapheme runs across ``at``; ``anchor`` is a boundary at or before it, not far off."""
    if at <= anchor or at >= len(text) or _PLAIN_PAIR.match(text, at - 1):
        return True
    return any(match.start() == at for match in _GRAPHEME.finditer(text, _near(text, at, anchor), at + 1))


def last_boundary(text: str, start: int, stop: int) -> int:
    """The last boundary in ``(start, stop]``; the first one after ``stop`` when a single grapheme fills all that."""
    found = start
    for match in _GRAPHEME.finditer(text, start):
        if match.end() > stop:
            return found if found > start else match.end()
        found = match.end()
    return found


def word_edges(text: str, low: int, high: int, anchor: int, *, unspaced: bool) -> list[int]:
    """Word boundaries in ``(low, high]`` that break no grapheme; ``unspaced``: only those beside a letter of a script
    without spaces."""
    # The rules for flags count back to the first of a row: in a slice that is never far.
    window = text[anchor : high + _CONTEXT]
    graphemes = {match.start() for match in _GRAPHEME.finditer(window)}
    pattern = _UNSPACED_EDGE if unspaced else _WORD_EDGE
    edges = (match.start() for match in pattern.finditer(window, low - anchor))
    return [anchor + at for at in edges if low < anchor + at <= high and at in graphemes]


def _near(text: str, at: int, anchor: int) -> int:
    for before in range(at - 1, anchor, -1):
        if _PLAIN_PAIR.match(text, before - 1):
            return before
    return anchor
