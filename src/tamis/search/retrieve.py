"""The two sides of a search: candidates by words and candidates by meaning."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from tamis.fusion import Background, Sides, best_first
from tamis.search.plan import MAX_TOP_K, SPARE_HITS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import ThreadPoolExecutor

    from tamis.search.plan import Plan
    from tamis.search.scope import Scopes
    from tamis.search.view import View
    from tamis.types import Scored, Vectors

First = TypeVar("First")
Second = TypeVar("Second")

# What the largest search looks at, so that a fusion makes the same ranking however many of it are asked for.
LEAST_DEPTH = MAX_TOP_K + SPARE_HITS
# Among 100 candidates by their codes are 90% of the best 100 by cosine and all of the best 20, among 200 all but one in 600 of
# the 100: 1,283 queries, 122,503 passages (``docs/decisions/010-four-bits.md``).
CANDIDATES_PER_HIT = 2
# Found beyond the limit, so that the equals of the last are seldom cut.
EQUALS = 16
DEEPER = 4
MOST_EQUALS = 1000
# Vectors whose scan takes longer than to hand the words to another thread and to be woken by it: at 5,000 a hybrid search takes .9 to
# .95 of the time without the thread, at 100,000 up to 1.4 times as long.
LONG_SCAN = 20_000


def depth(plan: Plan) -> int:
    """How many candidates each of two sides brings."""
    return max(LEAST_DEPTH, plan.limit)


def by_words(view: View, plan: Plan, scopes: Scopes, count: int) -> list[Scored]:
    """The best ``count`` chunks by BM25; none where the index of words cannot be used."""
    if not view.lexical:
        return []
    weights = plan.title_weights if plan.mode == "title_path" else plan.weights
    file_ids = scopes.scope(view.snapshot, plan.filter).file_ids
    return view.derived.lexical.search(plan.query, count, weights=weights, bm25=plan.bm25, file_ids=file_ids)


def by_words_alone(view: View, plan: Plan, scopes: Scopes) -> list[Scored]:
    """The best ``plan.limit`` chunks by BM25 and those that equal the last of them, some thousand at most.

    The order among equals is settled later, by path. To find fewer than two sides need takes a fifth less time.
    """
    count = plan.limit + EQUALS
    while True:
        found = by_words(view, plan, scopes, count)
        if len(found) < count or found[plan.limit - 1].score > found[-1].score or count > MOST_EQUALS:
            return found
        count *= DEEPER


def by_meaning(view: View, plan: Plan, scopes: Scopes, vector: Vectors, count: int) -> list[int]:
    """Ids of about the best ``count`` chunks by cosine, from the quantised index."""
    fingerprint = view.snapshot.manifest.fingerprint
    if fingerprint is None:
        return []
    allowed = scopes.allowed(view.snapshot, plan.filter)
    found = view.derived.dense(fingerprint).search(vector, count, ids=allowed)
    return [item.id for item in found]


def by_meaning_alone(view: View, plan: Plan, scopes: Scopes, vector: Vectors) -> list[tuple[int, float]]:
    """The candidates by meaning with their cosines, best first."""
    count = max(LEAST_DEPTH, CANDIDATES_PER_HIT * plan.limit)
    return best_first(cosines(view, vector, by_meaning(view, plan, scopes, vector, count)).items())


def both_sides(view: View, plan: Plan, scopes: Scopes, vector: Vectors) -> Sides[int]:
    """The candidates by words and by meaning, each with its cosine, and the query's cosines over the corpus.

    Candidates by words get their cosines as well: a fusion of scores must not take an absent one for a low one.
    """
    scopes.allowed(view.snapshot, plan.filter)  # now, so that two threads need not both find it out

    def of_words() -> tuple[list[Scored], dict[int, float], Background | None]:
        words = by_words(view, plan, scopes, depth(plan))
        return words, cosines(view, vector, [key for key, _ in words]), _background(view, scopes, vector)

    def of_meaning() -> list[int]:
        return by_meaning(view, plan, scopes, vector, depth(plan))

    if view.vectors < LONG_SCAN:
        near, (words, known, background) = of_meaning(), of_words()
    else:
        near, (words, known, background) = _side_by_side(of_meaning, of_words)
    found = {key: known.pop(key) for key in near if key in known}
    found |= cosines(view, vector, [key for key in near if key not in found])
    return Sides(words, best_first(found.items()), list(known.items()), background)


def _side_by_side(scan: Callable[[], First], meanwhile: Callable[[], Second]) -> tuple[First, Second]:
    """The answers of both; ``meanwhile`` runs on another thread, and a scan takes no interpreter lock."""
    # Not at the top: a search by words alone does without.
    from concurrent.futures import wait

    started = _beside().submit(meanwhile)
    try:
        scanned = scan()
    finally:
        # Before the snapshot is asked or closed here: some builds of SQLite serve one thread at a time.
        wait([started])
    return scanned, started.result()


@cache
def _beside() -> ThreadPoolExecutor:
    """Threads for what is done beside a scan; to start one for each search would take longer than the search of the words."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(os.cpu_count(), "tamis-beside")


def cosines(view: View, vector: Vectors, ids: Sequence[int]) -> dict[int, float]:
    """The cosines of these chunks by their float16 vectors; those without a vector are left out."""
    import numpy as np

    found, rows = view.derived.vectors(view.snapshot, ids)
    # Row by row: the last bits of a matrix product hang on a row's place among the others, and equal passages must have
    # equal scores.
    scores = np.multiply(rows, vector, dtype=np.float32).sum(axis=1)
    return dict(zip(found, scores.tolist(), strict=True))


def _background(view: View, scopes: Scopes, vector: Vectors) -> Background | None:
    """The query's cosines over the corpus, from a sample of its vectors."""
    sample = scopes.sample(view.snapshot)
    if sample is None:
        return None
    cosines = sample @ vector
    return Background(float(cosines.mean()), float(cosines.std()), view.vectors)
