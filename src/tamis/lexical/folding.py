"""Letters without their diacritics."""

from __future__ import annotations

import functools
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import regex

# Letters whose stroke or ligature is no combining mark, so that decomposition leaves them.
_LETTERS = str.maketrans(
    {
        "ø": "o",
        "đ": "d",
        "ð": "d",
        "ł": "l",
        "ħ": "h",
        "ŧ": "t",
        "ı": "i",
        "ß": "ss",
        "æ": "ae",
        "œ": "oe",
        "þ": "th",
        "ё": "е",
    }
)


def fold(word: str) -> str:
    """A lower-case word without diacritics and with ASCII digits.

    Marks go where readers leave them out: accents of Latin and Greek letters, the points of Hebrew, the vowel signs of Arabic.
    They stay where they are letters, as the matras of Indic scripts and the breve of Cyrillic, and where nothing else is left.
    """
    if word.isascii():
        return word
    letters = unicodedata.normalize("NFD", word.translate(_LETTERS))
    folded = unicodedata.normalize("NFC", _marks().sub("", letters)) or word
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in folded)


@functools.cache
def _marks() -> regex.Pattern[str]:
    import regex

    return regex.compile(r"(?<=[\p{Latin}\p{Greek}]\p{M}*)\p{Mn}|[\u0591-\u05c7\u064b-\u065f\u0670\u0640]")
