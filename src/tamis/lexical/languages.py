"""The language of a text in Latin letters, told by its function words."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tamis.lexical.stopwords import function_words, languages_by_word

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

# A text of 100 words has some twenty different function words of its language, and a handful of any other's.
_MIN_WORDS = 4
_MARGIN = 1.5


def detected(words: Iterable[str], default: str) -> str:
    """The language with the most of its function words among ``words``; ``default`` unless another is clear.

    Only words in lower case count: titles, acronyms and code say little.
    """
    found = function_words() & set(words)
    usual = len(found & function_words(default))
    if len(found) < _MIN_WORDS or len(found) <= _MARGIN * usual:
        return default  # nothing can be clear
    best, count = max(_votes(found).items(), key=lambda item: item[1])
    return best if count >= _MIN_WORDS and count > _MARGIN * usual else default


def spoken(words: Iterable[str], languages: Collection[str]) -> str:
    """The one of ``languages`` with the most function words among ``words``; the first among equals."""
    votes = _votes(words)
    return max(languages, key=lambda language: votes[language])


def _votes(words: Iterable[str]) -> Counter[str]:
    by_word = languages_by_word()
    return Counter(language for word in words for language in by_word.get(word, ()))
