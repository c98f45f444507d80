"""Which words of a text a query's words meet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tamis.render.style import MATCH

if TYPE_CHECKING:
    from tamis.render.style import Style

_WORD = re.compile(r"\w+")
# A shorter word of the query marks only itself; a longer one marks words that begin with it as well.
STEM = 4


def highlighted(text: str, query: str, style: Style) -> str:
    """The text with the query's words painted, whatever their case and, for longer words, their ending.

    Words of scripts without spaces are painted where the query's run of letters stands in the text.
    """
    pattern = _pattern(query) if style.colour else None
    return text if pattern is None else pattern.sub(lambda match: style.paint(match.group(), MATCH), text)


def _pattern(query: str) -> re.Pattern[str] | None:
    """Longer words first, so that the longest that can stand at a place is the one painted."""
    words = sorted(set(_WORD.findall(query)), key=lambda word: (-len(word), word))
    forms = [_form(word) for word in words]
    return re.compile("|".join(forms), re.IGNORECASE) if forms else None


def _form(word: str) -> str:
    if not _spaced(word):
        return re.escape(word)
    if len(word) < STEM:
        return rf"\b{re.escape(word)}\b"
    return rf"\b{re.escape(_root(word))}\w*"


def _root(word: str) -> str:
    """The word without an ending that English inflects, as far as four letters are left."""
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.lower().endswith(ending) and len(word) - len(ending) >= STEM:
            return word[: -len(ending)]
    return word


def _spaced(word: str) -> bool:
    """Whether the word's script puts spaces between words: Thai, Lao, Khmer, Burmese and what follows U+2E80 do not."""
    return not any("\u0e00" <= letter <= "\u0eff" or "\u1000" <= letter <= "\u109f" or "\u1780" <= letter <= "\u17ff"
                   or "\u2e80" <= letter <= "\uabff" or letter >= "\uf900" for letter in word)  # fmt: skip
