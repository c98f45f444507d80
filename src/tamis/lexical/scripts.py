"""Scripts that are written without spaces, and what stands in for their words.

Overlapping bigrams of characters find Chinese and Japanese about as well as a segmenter does, without a dictionary
(Nie, Gao, Zhang and Zhou 2000, "On the use of words and n-grams for Chinese information retrieval"). A character of
the Southeast Asian scripts is a grapheme: a base letter with its vowel signs and tone marks.
"""

from __future__ import annotations

from itertools import pairwise

# Classes for the ``regex`` module, version 1. Digits of every script are words like any other.
EAST = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Hangul}ー]"
SOUTHEAST = r"[[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]--\p{Nd}]"


def grams(characters: list[str], length: int) -> list[str]:
    """Overlapping runs of ``length`` characters; all of them as one where there are fewer."""
    if length == 1 or len(characters) <= length:
        return characters if length == 1 else ["".join(characters)]
    if length == 2:
        return [a + b for a, b in pairwise(characters)]
    return ["".join(characters[at : at + length]) for at in range(len(characters) - length + 1)]
