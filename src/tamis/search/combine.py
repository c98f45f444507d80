"""One ranking out of what a mode's sides found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tamis.fusion import convex, rrf
from tamis.search import retrieve
from tamis.search.fact import fact_factor
from tamis.types import Scored

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.search.plan import Plan
    from tamis.search.scope import Scopes
    from tamis.search.view import View
    from tamis.types import Vectors

DEPTH = 100

FUSIONS = {"default": convex, "rrf": rrf}


@dataclass(frozen=True, slots=True)
class Ranking:
    """The two sides and what became of them; each best first."""

    lexical: list[Scored]
    dense: list[Scored]
    fused: list[Scored]

    def breakdowns(self, taken: View, plan: Plan, ids: Sequence[int]) -> dict[int, dict[str, float]]:
        """Where the score of each of these chunks came from."""
        parts: dict[int, dict[str, float]] = {key: {} for key in ids}
        for name, side in (("lexical", self.lexical), ("dense", self.dense)):
            for place, item in enumerate(side, 1):
                if item.id in parts:
                    parts[item.id][name] = item.score
                    parts[item.id][f"{name}_rank"] = place
        if plan.needs_dense and plan.needs_lexical:
            for item in self.fused:
                if item.id in parts:
                    parts[item.id]["fused"] = item.score
        if plan.explain_fields and self.lexical:
            weights = plan.title_weights if plan.mode == "title_path" else plan.weights
            fields = taken.derived.lexical.explain(plan.query, ids, weights=weights, bm25=plan.bm25)
            for key, shares in zip(ids, fields, strict=True):
                parts[key] |= {f"lexical.{name}": share for name, share in shares.items()}
        return parts


def rank(taken: View, plan: Plan, scopes: Scopes, vector: Vectors | None) -> Ranking:
    """Retrieve from the sides that the mode has, and fuse them."""
    depth = max(DEPTH, plan.limit)
    scope = scopes.scope(taken.snapshot, plan.filter)
    lexical: list[Scored] = []
    dense: list[Scored] = []
    if not plan.query.strip():
        return Ranking([], [], [])
    if plan.needs_lexical and taken.lexical:
        lexical = retrieve.lexical_side(taken, plan, scope, depth)
    if plan.needs_dense and vector is not None:
        allowed = scopes.allowed(taken.snapshot, plan.filter, scope)
        dense = retrieve.dense_side(taken, vector, depth, allowed)
    if not plan.needs_dense:
        return Ranking(lexical, dense, lexical)
    if not plan.needs_lexical:
        return Ranking(lexical, dense, dense)
    if lexical and dense and vector is not None:
        seen = {item.id for item in dense}
        dense = dense + retrieve.exact(taken, vector, [item.id for item in lexical if item.id not in seen])
    fused = [
        Scored(*item)
        for item in FUSIONS[plan.fusion]([lexical, dense], [plan.lexical_weight, plan.dense_weight])
    ]
    if plan.mode == "fact":
        fused = _boosted(taken, plan, fused)
    return Ranking(lexical, dense, fused)


def _boosted(taken: View, plan: Plan, fused: list[Scored]) -> list[Scored]:
    chunks = taken.snapshot.chunks([item.id for item in fused])
    boosted = [
        Scored(item.id, item.score * fact_factor(plan.query, chunks[item.id].text))
        for item in fused
        if item.id in chunks
    ]
    return sorted(boosted, key=lambda item: (-item.score, item.id))
