"""Text to the terms that a query and a unit are matched by.

Words are case-folded and stemmed, identifiers also count as their parts, and scripts without spaces become character
bigrams, which match about as well as a dictionary would and need none.
"""

from __future__ import annotations

import re
import threading
from functools import lru_cache

import Stemmer

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_UNSPACED}]+|[^\W_{_UNSPACED}]+")
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_UNSPACED_LETTER = re.compile(f"[{_UNSPACED}]")

# They say how a question is put, not what it is about.
_QUESTION_WORDS = (
    "a about above after again all also am an and any are as at be because been before being below between both but by "
    "can could did do does doing down during each few for from further had has have having he her here hers him his how "
    "i if in into is it its itself just let me more most my no nor not now of off on once one only or other our out over "
    "own please same she should so some such than that the their them then there these they this those through to too "
    "under until up us very was we were what when where which while who whom whose why will with would you your yours "
    "s t d ll m o re ve"
)


def terms(text: str) -> list[str]:
    """The terms of a text in order, repeats and stop words included."""
    found: list[str] = []
    for word in _WORD.findall(text):
        if not word.isascii() and _UNSPACED_LETTER.match(word):
            found.extend(word[i : i + 2] for i in range(max(1, len(word) - 1)))
        else:
            found.append(stem(word))
            if (
                not (word.islower() or word.istitle() or word.isupper())
                and len(parts := _HUMPS.split(word)) > 1
            ):
                found.extend(map(stem, parts))
    return found


def query_terms(query: str) -> list[str]:
    """The distinct terms of a query without stop words; with them when it has nothing else."""
    words = dict.fromkeys(terms(query))
    content = [word for word in words if word not in _STOP_STEMS]
    return content or list(words)


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A word's stem: Snowball's for English and Russian, else the word itself, case-folded."""
    word = word.casefold()
    if word.isascii():
        return _STEMMERS.english.stemWord(word)
    if "\u0400" <= word[0] <= "\u04ff":
        return _STEMMERS.russian.stemWord(word)
    return word


class _Stemmers(threading.local):
    """A stemmer has state, so each thread gets its own."""

    def __init__(self) -> None:
        self.english = Stemmer.Stemmer("english")
        self.russian = Stemmer.Stemmer("russian")


_STEMMERS = _Stemmers()
_STOP_STEMS = frozenset(map(stem, _QUESTION_WORDS.split()))
