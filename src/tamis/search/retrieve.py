"""The two sides of a search: candidates by words and candidates by meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.errors import EmbedError
from tamis.types import Scored

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from tamis.search.plan import Plan
    from tamis.search.scope import Scope
    from tamis.search.view import Searchable, View
    from tamis.types import Vectors


def lexical_side(view: View, plan: Plan, scope: Scope, depth: int) -> list[Scored]:
    """The best ``depth`` chunks by BM25."""
    weights = plan.title_weights if plan.mode == "title_path" else plan.weights
    return view.derived.lexical.search(
        plan.query, depth, weights=weights, bm25=plan.bm25, file_ids=scope.file_ids
    )


def query_vector(searchable: Searchable, view: View, plan: Plan) -> Vectors:
    """The query's vector from the corpus's own model.

    Raises:
        BackendError: The model cannot be had.
        EmbedError: It is not the one that made the corpus's vectors, or its answer is of no use.
    """
    manifest = view.snapshot.manifest
    embedder = searchable.embedder(manifest.settings.embedder)
    if manifest.fingerprint is None or embedder.fingerprint != manifest.fingerprint:
        raise EmbedError(
            f"{manifest.settings.embedder} is another model now than the one that made this corpus's vectors",
            hint=f"embed it again with: tamis embed {manifest.name}",
        )
    return embedder.embed_query(plan.query)


def dense_side(view: View, vector: Vectors, depth: int, allowed: NDArray[np.uint64] | None) -> list[Scored]:
    """The best ``depth`` chunks by cosine: candidates from the quantised index, scored again from the truth."""
    manifest = view.snapshot.manifest
    if manifest.model_id is None or manifest.fingerprint is None:
        return []
    found = view.derived.dense(manifest.fingerprint).search(vector, depth, ids=allowed)
    return exact(view, vector, [item.id for item in found])


def exact(view: View, vector: Vectors, ids: Sequence[int]) -> list[Scored]:
    """These chunks by cosine, best first, ids ascending among equals; those without a vector are left out."""
    import numpy as np

    manifest = view.snapshot.manifest
    if not ids or manifest.model_id is None or manifest.fingerprint is None:
        return []
    keys, rows = view.snapshot.vectors(manifest.model_id, manifest.fingerprint.dimensions, ids)
    scores = rows.astype(np.float32) @ vector
    return sorted(map(Scored, keys, scores.tolist()), key=lambda item: (-item.score, item.id))
