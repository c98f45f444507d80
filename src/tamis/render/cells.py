"""Width of text in the cells of a terminal, and text laid out by it."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_WIDE = frozenset("WF")
_UNSEEN = frozenset(("Mn", "Me", "Cf"))


def width(text: str) -> int:
    """Cells that the text takes: two for East Asian wide characters (UAX #11), none for combining and invisible ones."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def cut(text: str, cells: int) -> str:
    """The text if it fits into ``cells``, else its beginning and an ellipsis."""
    if width(text) <= cells:
        return text
    return text[: _fitting(text, cells - 1)] + "…"


def pad(text: str, cells: int, *, right: bool = False) -> str:
    """The text with spaces up to ``cells``, before it when it is to stand at the ``right``."""
    gap = " " * max(0, cells - width(text))
    return gap + text if right else text + gap


def lines(text: str, cells: int) -> Iterator[str]:
    """The text broken at spaces into lines of at most ``cells``; a word that is longer is broken where it must be."""
    line = ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line else word
        if width(joined) <= cells:
            line = joined
            continue
        if line:
            yield line
        line = word
        while width(line) > cells:
            end = max(1, _fitting(line, cells))
            yield line[:end]
            line = line[end:]
    if line:
        yield line


def _cells(character: str) -> int:
    if unicodedata.category(character) in _UNSEEN:
        return 0
    return 2 if unicodedata.east_asian_width(character) in _WIDE else 1


def _fitting(text: str, cells: int) -> int:
    """How many characters of the text fit; marks stay with their letter."""
    used = 0
    for index, character in enumerate(text):
        used += _cells(character)
        if used > cells:
            return index
    return len(text)
