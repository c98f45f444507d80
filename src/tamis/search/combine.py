"""One ranking out of what a mode's sides found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tamis.fusion import DEPTH, FUSIONS, Background, Sides
from tamis.search import retrieve
from tamis.search.fact import fact_factor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.search.plan import Plan
    from tamis.search.scope import Scopes
    from tamis.search.view import View
    from tamis.types import Vectors

    Scores = Sequence[tuple[int, float]]


@dataclass(frozen=True, slots=True)
class Ranking:
    """The two sides and what became of them; each best first."""

    lexical: Scores
    dense: Scores
    fused: Scores

    def breakdowns(self, taken: View, plan: Plan, ids: Sequence[int]) -> dict[int, dict[str, float]]:
        """Where the score of each of these chunks came from."""
        parts: dict[int, dict[str, float]] = {key: {} for key in ids}
        for name, side in (("lexical", self.lexical), ("dense", self.dense)):
            for place, (key, score) in enumerate(side, 1):
                if key in parts:
                    parts[key][name] = score
                    parts[key][f"{name}_rank"] = place
        if plan.needs_dense and plan.needs_lexical:
            for key, score in self.fused:
                if key in parts:
                    parts[key]["fused"] = score
        if plan.explain_fields and self.lexical:
            weights = plan.title_weights if plan.mode == "title_path" else plan.weights
            fields = taken.derived.lexical.explain(plan.query, ids, weights=weights, bm25=plan.bm25)
            for key, shares in zip(ids, fields, strict=True):
                parts[key] |= {f"lexical.{name}": share for name, share in shares.items()}
        return parts


def rank(taken: View, plan: Plan, scopes: Scopes, vector: Vectors | None) -> Ranking:
    """Retrieve from the sides that the mode has, and fuse them."""
    if not plan.query.strip():
        return Ranking([], [], [])
    depth = max(DEPTH, plan.limit)
    scope = scopes.scope(taken.snapshot, plan.filter)
    lexical: Scores = []
    dense: Scores = []
    if plan.needs_lexical and taken.lexical:
        lexical = retrieve.lexical_side(taken, plan, scope, depth)
    if not plan.needs_dense:
        return Ranking(lexical, dense, lexical)
    if vector is None:
        fused = FUSIONS[plan.fusion](Sides(lexical, []), [1.0, 1.0])
    else:
        allowed = scopes.allowed(taken.snapshot, plan.filter, scope)
        near = set(retrieve.dense_candidates(taken, vector, depth, allowed))
        # The words' candidates get their cosines as well: a fusion of scores must not take an absent one for a low one.
        cosines = retrieve.exact(taken, vector, [*near, *(key for key, _ in lexical if key not in near)])
        dense = [item for item in cosines if item[0] in near]
        if not plan.needs_lexical:
            return Ranking(lexical, dense, dense)
        sample = scopes.sample(taken.snapshot)
        measured = None if sample is None else _background(sample @ vector, taken.vectors)
        beside = [item for item in cosines if item[0] not in near]
        fused = FUSIONS[plan.fusion](
            Sides(lexical, dense, beside, measured), [plan.lexical_weight, plan.dense_weight]
        )
        dense = cosines
    if plan.mode == "fact":
        fused = _boosted(taken, plan, fused)
    return Ranking(lexical, dense, fused)


def _background(cosines: Vectors, count: int) -> Background:
    return Background(float(cosines.mean()), float(cosines.std()), count)


def _boosted(taken: View, plan: Plan, fused: Scores) -> Scores:
    chunks = taken.snapshot.chunks([key for key, _ in fused])
    boosted = [
        (key, score * fact_factor(plan.query, chunks[key].text)) for key, score in fused if key in chunks
    ]
    return sorted(boosted, key=lambda item: (-item[1], item[0]))
