"""Which candidates say what was said already."""

from __future__ import annotations

from collections import defaultdict

from tamis.compress.terms import stem, terms

# Candidates whose distinct terms overlap this much (Jaccard) are taken for copies of each other …
SAME = 0.9
# … if they have so many ("Thank you!" is said more than once, and cheap) …
MIN_TERMS = 5
# … unless they differ in a number or in one of these.
_TURNS = frozenset(map(stem, ("no", "not", "never", "none", "cannot", "without")))


class Novelty:
    """What was kept so far. Exact, and without comparing all with all.

    Sets with a Jaccard overlap of ``SAME`` share one of their first terms in any fixed order, if enough first terms are
    looked at (prefix filtering; Chaudhuri, Ganti and Kaushik 2006).
    """

    def __init__(self) -> None:
        self._kept: list[frozenset[str]] = []
        self._by_term: defaultdict[str, list[int]] = defaultdict(list)

    def is_new(self, text: str) -> bool:
        """Whether nothing kept so far is nearly the same."""
        wanted = frozenset(terms(text))
        if len(wanted) < MIN_TERMS:
            return True
        near = {index for term in _prefix(wanted) for index in self._by_term.get(term, ())}
        return not any(_is_copy(wanted, self._kept[index]) for index in near)

    def keep(self, text: str) -> None:
        kept = frozenset(terms(text))
        for term in _prefix(kept):
            self._by_term[term].append(len(self._kept))
        self._kept.append(kept)


def _prefix(of: frozenset[str]) -> list[str]:
    ordered = sorted(of)
    return ordered[: len(ordered) - int(SAME * len(ordered) + 0.999999) + 1] if ordered else []


def _is_copy(one: frozenset[str], other: frozenset[str]) -> bool:
    shared = len(one & other)
    if shared < SAME * (len(one) + len(other) - shared):
        return False
    return not any(term in _TURNS or any(map(str.isdigit, term)) for term in one ^ other)
