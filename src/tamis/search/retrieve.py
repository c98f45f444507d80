"""The two sides of a search: candidates by words and candidates by meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.errors import EmbedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from tamis.search.plan import Plan
    from tamis.search.scope import Scope
    from tamis.search.view import Searchable, View
    from tamis.types import Scored, Vectors


def lexical_side(view: View, plan: Plan, scope: Scope, depth: int) -> list[Scored]:
    """The best ``depth`` chunks by BM25."""
    weights = plan.title_weights if plan.mode == "title_path" else plan.weights
    return view.derived.lexical.search(
        plan.query, depth, weights=weights, bm25=plan.bm25, file_ids=scope.file_ids
    )


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


def exact(view: View, vector: Vectors, ids: Sequence[int]) -> list[tuple[int, float]]:
    """These chunks by the cosine of their float16 vectors, best first, ids ascending among equals.

    Those without a vector are left out.
    """
    import numpy as np

    found, rows = view.snapshot.vectors(ids)
    keys = np.array(found, dtype=np.int64)
    scores = rows.astype(np.float32) @ vector
    order = np.lexsort((keys, -scores))
    return list(zip(keys[order].tolist(), scores[order].tolist(), strict=True))
