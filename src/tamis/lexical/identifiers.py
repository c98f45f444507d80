"""The parts of an identifier: ``readHTTPFile2`` is ``read``, ``HTTP``, ``File`` and ``2``."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import regex

# A hump, a run of capitals up to the last that begins a hump, or digits; underscores fall between.
_ASCII_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def parts(word: str) -> list[str]:
    """What ``word`` is put together from, by underscores, humps and digits; itself alone for a simple word."""
    if word.islower() and word.isalpha():
        return [word]
    return _ASCII_PART.findall(word) if word.isascii() else _part().findall(word)


@functools.cache
def _part() -> regex.Pattern[str]:
    import regex

    return regex.compile(
        r"\p{Lu}\p{M}*(?>\p{Lu}\p{M}*)*(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|\p{N}+|[^\W_]"
    )
