"""From text to tokens: the same for documents and queries."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from tamis.lexical.words import Forms, forms, pieces, run_forms

if TYPE_CHECKING:
    from collections.abc import Iterator

_TYPOGRAPHIC = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "‐": "-", "\u200b": " "})
# Soft hyphen, joiners, marks of direction and presentation, byte order mark.
_INVISIBLE = "\u00ad\u200c\u200d\u2060\ufeff\u200e\u200f\u061c\ufe0e\ufe0f"
# What lies between characters that are part of no word.
_CHUNK = re.compile(r"[^\s,;:!?()\[\]{}\"`*=<>|&$%^~\\]+")


def normalised(text: str) -> str:
    """NFKC, with typographic apostrophes and hyphens made plain and invisible characters taken out."""
    if text.isascii():
        return text
    if not unicodedata.is_normalized("NFKC", text):
        text = unicodedata.normalize("NFKC", text)
    for character in _INVISIBLE:
        if character in text:
            text = text.replace(character, "")
    return text.translate(_TYPOGRAPHIC)


def chunked(text: str) -> list[str]:
    """A normalised text in stretches that can be analysed one by one."""
    return _CHUNK.findall(text)


def analysed(text: str, language: str) -> Iterator[tuple[str, Forms]]:
    """Each word, compound or run of a normalised text with its forms."""
    for piece, is_run in pieces(text):
        yield piece, run_forms(piece) if is_run else forms(piece, language)
