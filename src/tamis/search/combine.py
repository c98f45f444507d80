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
    by_words = plan.needs_lexical and taken.lexical
    lexical: Scores = []
    dense: Scores = []
    beside: Scores = []
    weights = [plan.lexical_weight, plan.dense_weight]
    if not plan.needs_dense or vector is None:
        weights = [1.0, 1.0]  # one side alone counts in full, whatever its weight
        if by_words:
            lexical = retrieve.lexical_side(taken, plan, scope, depth)
    else:
        allowed = scopes.allowed(taken.snapshot, plan.filter, scope)
        if by_words:
            lexical, beside, dense = retrieve.both_sides(taken, plan, scope, depth, vector, allowed)
        else:
            near = retrieve.dense_candidates(taken, vector, depth, allowed)
            dense = retrieve.exact(taken, vector, near)
    if not plan.needs_dense:
        return Ranking(lexical, [], lexical)
    if not plan.needs_lexical:
        return Ranking([], dense, dense)
    sides = Sides(lexical, dense, beside, _background(taken, scopes, vector))
    fused = FUSIONS[plan.fusion](sides, weights)
    if plan.mode == "fact":
        fused = _boosted(taken, plan, fused)
    return Ranking(lexical, retrieve.by_score([*dense, *beside]), fused)


def _background(taken: View, scopes: Scopes, vector: Vectors | None) -> Background | None:
    """The query's cosines over the corpus, from a sample of its vectors."""
    sample = None if vector is None else scopes.sample(taken.snapshot)
    if vector is None or sample is None:
        return None
    cosines = sample @ vector
    return Background(float(cosines.mean()), float(cosines.std()), taken.vectors)


def _boosted(taken: View, plan: Plan, fused: Scores) -> Scores:
    chunks = taken.snapshot.chunks([key for key, _ in fused])
    boosted = [
        (key, score * fact_factor(plan.query, chunks[key].text)) for key, score in fused if key in chunks
    ]
    return sorted(boosted, key=lambda item: (-item[1], item[0]))
