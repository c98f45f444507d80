"""Text to the terms that a query and a unit are matched by.

Words are case-folded and stemmed, identifiers also count as their parts, and scripts without spaces become character
bigrams, which match about as well as a dictionary would and need none.
"""

from __future__ import annotations

import re
import threading
from functools import lru_cache
from unicodedata import combining, normalize

import Stemmer

from tamis.phrasing import FUNCTION_WORDS

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_UNSPACED}]+|[^\W_{_UNSPACED}]+")
_LAST_LATIN = "\u024f"
# Longer ones are no words, and remembering them would cost memory.
MAX_KNOWN_CHARS = 40
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_UNSPACED_LETTER = re.compile(f"[{_UNSPACED}]")


def terms(text: str) -> list[str]:
    """The terms of a text in order, repeats and stop words included."""
    return [
        term
        for word in _WORD.findall(text)
        for term in (_of_known_word(word) if len(word) <= MAX_KNOWN_CHARS else _of_word(word))
    ]


def query_terms(query: str) -> list[str]:
    """The distinct terms of a query without stop words; with them when it has nothing else."""
    words = dict.fromkeys(terms(query))
    content = [word for word in words if word not in _STOP_STEMS]
    return content or list(words)


def is_stop(term: str) -> bool:
    """Whether a term only says how a sentence is put."""
    return term in _STOP_STEMS


def _of_word(word: str) -> tuple[str, ...]:
    """A word's stem and, of an identifier in camel case, its parts'; of a run without spaces, its bigrams."""
    if not word.isascii() and _UNSPACED_LETTER.match(word):
        return tuple(word[place : place + 2] for place in range(max(1, len(word) - 1)))
    if word.islower() or word.istitle() or word.isupper():
        return (stem(word),)
    parts = _HUMPS.split(word)
    return (stem(word), *map(stem, parts)) if len(parts) > 1 else (stem(word),)


_of_known_word = lru_cache(maxsize=8_192)(_of_word)


def stem(word: str) -> str:
    """A word's stem, case-folded: Snowball's for Russian and, without accents, for Latin letters; else the word."""
    word = word.casefold()
    if "\u0400" <= word[0] <= "\u04ff":
        return _STEMMERS.russian.stemWord(word)
    if not word.isascii():
        if word[0] > _LAST_LATIN:
            return word
        word = "".join(letter for letter in normalize("NFKD", word) if not combining(letter))
    return _STEMMERS.english.stemWord(word)


class _Stemmers(threading.local):
    """A stemmer has state, so each thread gets its own."""

    def __init__(self) -> None:
        self.english = Stemmer.Stemmer("english")
        self.russian = Stemmer.Stemmer("russian")


_STEMMERS = _Stemmers()
_STOP_STEMS = frozenset(map(stem, FUNCTION_WORDS))
