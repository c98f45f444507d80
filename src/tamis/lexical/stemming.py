"""Snowball stemmers: by the language of the text for Latin letters, by the script for others."""

from __future__ import annotations

import functools
import threading
from typing import TYPE_CHECKING

from tamis.errors import ConfigError
from tamis.lexical.folding import fold

if TYPE_CHECKING:
    from collections.abc import Callable

NO_STEMMING = "none"
# Stems of longer words are not worth the algorithms' time: they are no words.
_MAX_CHARS = 40
# First and last code point of scripts of which Snowball knows one language; the rest are left as they are.
_SCRIPTS = (
    (0x0370, 0x03FF, "greek"),
    (0x0400, 0x052F, "russian"),
    (0x0530, 0x058F, "armenian"),
    (0x0600, 0x06FF, "arabic"),
    (0x0900, 0x097F, "hindi"),
    (0x0B80, 0x0BFF, "tamil"),
)
_LAST_LATIN = 0x024F
_VIETNAMESE = range(0x1E00, 0x1F00)


def stem(word: str, language: str) -> str:
    """The folded stem of a lower-case word; ``language`` is that of words in Latin letters.

    Stemmers need the accents of their language, so folding comes after; English has none, and its loanwords are typed
    with and without.
    """
    first = ord(word[0])
    if first > _LAST_LATIN and first not in _VIETNAMESE:
        language = next((name for low, high, name in _SCRIPTS if low <= first <= high), NO_STEMMING)
    if language == NO_STEMMING or len(word) > _MAX_CHARS:
        return fold(word)
    if language == "english":
        return _stemmer(language)(fold(word))
    return fold(_stemmer(language)(word) or word)  # nothing is left of a lone tatweel


def check(language: str) -> None:
    """Make sure that there is a stemmer for ``language``.

    Raises:
        ConfigError: There is none.
    """
    import Stemmer

    if language != NO_STEMMING and language not in Stemmer.algorithms():
        known = ", ".join([NO_STEMMING, *Stemmer.algorithms()])
        raise ConfigError(f"no stemmer is called {language}", hint=f"the languages are: {known}")


def version() -> str:
    """Version of the algorithms: stems of two versions must not meet in one index."""
    import Stemmer

    return Stemmer.version()


@functools.cache
def _stemmer(language: str) -> Callable[[str], str]:
    import Stemmer

    if language not in Stemmer.algorithms():
        return lambda word: word
    stemmer, lock = Stemmer.Stemmer(language, 0), threading.Lock()  # an instance is not reentrant

    def locked(word: str) -> str:
        with lock:
            return stemmer.stemWord(word)

    return locked
