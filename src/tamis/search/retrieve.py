"""The two sides of a search: candidates by words and candidates by meaning."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

from tamis.fusion import Background, Sides, best_first
from tamis.search.plan import MAX_TOP_K, SPARE_HITS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import ThreadPoolExecutor

    from tamis.search.plan import Plan
    from tamis.search.scope import Scopes
    from tamis.search.view import View
    from tamis.types import Scored, Vectors

# What the largest search looks at, so that a fusion makes the same ranking however many of it are asked for.
LEAST_DEPTH = MAX_TOP_K + SPARE_HITS
# Among 100 candidates by their codes are 90% of the best 100 by cosine and all of the best 20, among 200 all but one in 600 of
# the 100: 1,283 queries, 122,503 passages (``docs/decisions/010-four-bits.md``).
CANDIDATES_PER_HIT = 2
# Found beyond the limit, so that the equals of the last are seldom cut.
EQUALS = 16
DEEPER = 4
MOST_EQUALS = 1000


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

    All else is done while the vectors are scanned, which takes no interpreter lock. Candidates by words get their
    cosines as well: a fusion of scores must not take an absent one for a low one.
    """
    # Not at the top: a search by words alone does without.
    from concurrent.futures import wait

    scopes.allowed(view.snapshot, plan.filter)  # now, so that the two threads need not both find it out

    def meanwhile() -> tuple[list[Scored], dict[int, float], Background | None]:
        words = by_words(view, plan, scopes, depth(plan))
        return words, cosines(view, vector, [key for key, _ in words]), _background(view, scopes, vector)

    started = _beside().submit(meanwhile)
    try:
        near = by_meaning(view, plan, scopes, vector, depth(plan))
    finally:
        # Before the snapshot is asked or closed here: some builds of SQLite serve one thread at a time.
        wait([started])
    words, known, background = started.result()
    found = {key: known.pop(key) for key in near if key in known}
    found |= cosines(view, vector, [key for key in near if key not in found])
    return Sides(words, best_first(found.items()), list(known.items()), background)


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
