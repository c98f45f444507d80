"""Which candidates say what was said already."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from tamis.compress.terms import stem, terms

if TYPE_CHECKING:
    from tamis.compress.units import Candidate

# Candidates whose distinct terms overlap this much (Jaccard) are taken for copies of each other …
SAME = 0.9
# … if they have so many, …
MIN_TERMS = 5
# … unless they differ in a number or in one of these. With fewer terms only the same words make a copy.
_TURNS = frozenset(map(stem, ("no", "not", "never", "none", "cannot", "without")))
# A line of code and a row of a table mean what they mean where they stand: within a text they are never copies, and a
# copy in another text (a passage that overlaps this one) has to be long enough to be no coincidence.
_PLACED = frozenset({"code", "table_row"})

_LIST_MARK = re.compile(r"\s*(?:[-*+•◦‣▪●]|\d{1,9}[.)])\s+")
_ENDS = "\"'“”‘’«»`*_~()[]{}<>.,;:!…。，、；：！．؛،।॥"


class Novelty:
    """What was kept so far. Exact, and without comparing all with all.

    Sets with a Jaccard overlap of ``SAME`` share one of their first terms in any fixed order, if enough first terms are
    looked at (prefix filtering; Chaudhuri, Ganti and Kaushik 2006).
    """

    def __init__(self) -> None:
        self._kept: list[tuple[frozenset[str], int]] = []
        self._by_term: defaultdict[str, list[int]] = defaultdict(list)
        self._by_words: dict[str, int] = {}

    def copied(self, candidate: Candidate) -> int | None:
        """The item in which the same was kept, or nearly the same; ``None`` if this is new."""
        placed = candidate.kind in _PLACED
        if not placed and (item := self._by_words.get(words(candidate.text))) is not None:
            return item
        wanted = frozenset(terms(candidate.text))
        if len(wanted) < MIN_TERMS:
            return None
        near = {index for term in _prefix(wanted) for index in self._by_term.get(term, ())}
        for index in near:
            kept, item = self._kept[index]
            if not (placed and item == candidate.item) and _is_copy(wanted, kept):
                return item
        return None

    def keep(self, candidate: Candidate) -> None:
        kept = frozenset(terms(candidate.text))
        for term in _prefix(kept):
            self._by_term[term].append(len(self._kept))
        self._kept.append((kept, candidate.item))
        if candidate.kind not in _PLACED and (said := words(candidate.text)):
            self._by_words.setdefault(said, candidate.item)


def words(text: str) -> str:
    """A text's words, case-folded, without list mark and without the marks around each; empty if it has none."""
    unmarked = _LIST_MARK.sub("", text, count=1) if _LIST_MARK.match(text) else text
    stripped = (word.strip(_ENDS) for word in unmarked.casefold().split())
    return " ".join(filter(None, stripped))


def _prefix(of: frozenset[str]) -> list[str]:
    ordered = sorted(of)
    return ordered[: len(ordered) - int(SAME * len(ordered) + 0.999999) + 1] if ordered else []


def _is_copy(one: frozenset[str], other: frozenset[str]) -> bool:
    shared = len(one & other)
    if shared < SAME * (len(one) + len(other) - shared):
        return False
    return not any(term in _TURNS or any(map(str.isdigit, term)) for term in one ^ other)
