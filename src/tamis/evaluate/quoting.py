"""Whether a passage holds a quotation, be it that a passage's edge cuts it."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from tamis.scripts import SPACED_WORD, UNSPACED

MIN_WORDS: Final = 4
"""Of a part of a quotation that counts for it. Of 360 quotations from cranfield, of 4 to 40 words, among 3,960 passages: a
part of two words stood by chance at the edge of 42 passages, of three words of 25, of four words of one."""

MANY_WORDS: Final = 8
"""So many words in a row are nobody's by chance, however little they are of a quotation."""

# Two characters of a script without spaces stand in for a word. Possessive, or else one long word could be taken for many.
_WORD: Final = rf"[\W_]*+(?:[{UNSPACED}]{{1,2}}+|[^\W_{UNSPACED}][^\s{UNSPACED}]*+)"
_SOME: Final = re.compile(f"(?:{_WORD}){{{MIN_WORDS}}}")
_MANY: Final = re.compile(f"(?:{_WORD}){{{MANY_WORDS}}}")


def plain(text: str) -> str:
    """A text as quotations are compared: composed, without case, line breaks and runs of white space."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


class Passage:
    """A text that may hold quotations."""

    __slots__ = ("closing", "opening", "text")

    def __init__(self, text: str) -> None:
        self.text = plain(text)
        opening, closing = _SOME.match(self.text), _SOME.match(self.text[::-1])
        # Its first and its last words: where a quotation has neither, no edge cuts it.
        self.opening = opening and opening[0]
        self.closing = closing and closing[0][::-1]

    def holds(self, quotation: str) -> bool:
        """Whether it holds a quotation, which is as ``plain`` has it.

        It does when the quotation stands in it, from word to word: "lo" is not in "London". A longer quotation may run over
        the edge of a passage, since chunking cuts where it must: half of it at the passage's own beginning or end counts
        when it is ``MIN_WORDS`` whole words or more. So does a passage that is nothing but such a half, from anywhere in the
        quotation, or but ``MANY_WORDS`` of it.
        """
        if not self.text or not quotation:
            return False
        if _stands(quotation, self.text):
            return True
        half = len(quotation) // 2
        if self.opening and self.opening in quotation:
            if _stands(self.text, quotation):
                return len(self.text) >= half or bool(_MANY.match(self.text))
            if _opens(self.text, quotation, self.opening, half):
                return True
        if self.closing and self.closing in quotation:
            return _opens(self.text[::-1], quotation[::-1], self.closing[::-1], half)
        return False


def _stands(part: str, text: str) -> bool:
    """Whether a part stands in a text without breaking a word at either end."""
    at = text.find(part)
    while at >= 0:
        if _edge(text, at) and _edge(text, at + len(part)):
            return True
        at = text.find(part, at + 1)
    return False


def _edge(text: str, at: int) -> bool:
    """Whether no word runs across the place."""
    return at in (0, len(text)) or not (_of_word(text[at - 1]) and _of_word(text[at]))


def _of_word(character: str) -> bool:
    return bool(SPACED_WORD.match(character)) or unicodedata.category(character).startswith("M")


def _opens(passage: str, quotation: str, words: str, least: int) -> bool:
    """Whether a passage, of which these are the first words, begins with the end of a quotation, ``least`` characters of it."""
    at = quotation.find(words, max(0, len(quotation) - len(passage)))
    while 0 <= at <= len(quotation) - least:
        part = quotation[at:]
        if passage.startswith(part) and _edge(quotation, at) and _edge(passage, len(part)):
            return True
        at = quotation.find(words, at + 1)
    return False
