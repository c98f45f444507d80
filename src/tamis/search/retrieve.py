"""The two sides of a search: candidates by words and candidates by meaning."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

from tamis.errors import EmbedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from concurrent.futures import ThreadPoolExecutor

    import numpy as np
    from numpy.typing import NDArray

    from tamis.search.plan import Plan
    from tamis.search.scope import Scope
    from tamis.search.view import Searchable, View
    from tamis.types import Scored, Vectors

    Cosines = list[tuple[int, float]]


def lexical_side(view: View, plan: Plan, scope: Scope, depth: int) -> list[Scored]:
    """The best ``depth`` chunks by BM25."""
    weights = plan.title_weights if plan.mode == "title_path" else plan.weights
    return view.derived.lexical.search(
        plan.query, depth, weights=weights, bm25=plan.bm25, file_ids=scope.file_ids
    )


def both_sides(
    view: View, plan: Plan, scope: Scope, depth: int, vector: Vectors, allowed: NDArray[np.uint64] | None
) -> tuple[list[Scored], Cosines, Cosines]:
    """The candidates by words, their cosines, and the candidates by meaning with theirs.

    The words are looked up while the vectors are scanned, which takes no interpreter lock. Candidates by words get their
    cosines as well: a fusion of scores must not take an absent one for a low one.
    """
    # Not at the top: a search by words alone does without.
    from concurrent.futures import wait

    def by_words() -> tuple[list[Scored], Cosines]:
        words = lexical_side(view, plan, scope, depth)
        return words, exact(view, vector, [key for key, _ in words])

    started = _beside().submit(by_words)
    try:
        near = dense_candidates(view, vector, depth, allowed)
    finally:
        # Before the snapshot is asked or closed here: some builds of SQLite serve one thread at a time.
        wait([started])
    words, cosines = started.result()
    known = dict(cosines)
    unknown = exact(view, vector, [key for key in near if key not in known])
    found = set(near)
    dense = [item for item in cosines if item[0] in found] + unknown
    return words, [item for item in cosines if item[0] not in found], by_score(dense)


@cache
def _beside() -> ThreadPoolExecutor:
    """Threads for the words' side; to start one for each search would take longer than the search of the words."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(os.cpu_count(), "tamis-words")


def query_vector(searchable: Searchable, view: View, plan: Plan) -> Vectors:
    """The query's vector from the model that made the vectors in use.

    Raises:
        BackendError: The model cannot be had.
        EmbedError: It is not the one that made the corpus's vectors, or its answer is of no use.
    """
    manifest = view.snapshot.manifest
    embedder = searchable.embedder(manifest.active_embedder)
    if manifest.fingerprint is None or embedder.fingerprint != manifest.fingerprint:
        raise EmbedError(
            f"{manifest.active_embedder} is another model now than the one that made this corpus's vectors",
            hint=f"embed it again with: tamis embed {manifest.name}",
        )
    return embedder.embed_query(plan.query)


def dense_candidates(
    view: View, vector: Vectors, depth: int, allowed: NDArray[np.uint64] | None
) -> list[int]:
    """Ids of about the best ``depth`` chunks by cosine, from the quantised index."""
    fingerprint = view.snapshot.manifest.fingerprint
    if fingerprint is None:
        return []
    return [item.id for item in view.derived.dense(fingerprint).search(vector, depth, ids=allowed)]


def exact(view: View, vector: Vectors, ids: Sequence[int]) -> Cosines:
    """These chunks by the cosine of their float16 vectors, best first, ids ascending among equals.

    Those without a vector are left out.
    """
    import numpy as np

    found, rows = view.snapshot.vectors(ids)
    scores = rows.astype(np.float32) @ vector
    return by_score(zip(found, scores.tolist(), strict=True))


def by_score(scored: Iterable[tuple[int, float]]) -> Cosines:
    """Score descending, ids ascending among equals."""
    return sorted(scored, key=lambda item: (-item[1], item[0]))
