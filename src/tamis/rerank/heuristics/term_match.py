"""Whether a term stands in a text as a word."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from tamis.scripts import SPACED_WORD

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def fold(text: str) -> str:
    """Text made ready for comparison without case: NFC, case-folded."""
    return unicodedata.normalize("NFC", text).casefold()


def term_pattern(term: str) -> re.Pattern[str]:
    """Matches ``term`` in folded text, with a word boundary at each end where the term has a word character.

    So ``fix`` is not found in "prefix", and ``C++`` is found in "C++, then"; runs of white space are equal.
    """
    words = fold(term).split()
    body = r"\s+".join(re.escape(word) for word in words)
    before = r"(?<!\w)" if words and SPACED_WORD.match(words[0][0]) else ""
    after = r"(?!\w)" if words and SPACED_WORD.match(words[-1][-1]) else ""
    return re.compile(before + body + after)


def matched_terms(terms: Sequence[str], texts: Iterable[str]) -> int:
    """How many of the ``terms`` stand in at least one of the ``texts``; a term given twice counts once."""
    folded = [fold(text) for text in texts]
    distinct = {fold(term).strip() for term in terms} - {""}
    patterns = [term_pattern(term) for term in distinct]
    return sum(any(pattern.search(text) for text in folded) for pattern in patterns)
