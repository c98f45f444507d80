"""One ranking out of what a mode's sides found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tamis.fusion import FUSIONS, Sides, best_first
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
    """The two sides and what became of them; each best first.

    ``beside`` has cosines of candidates by words that are none by meaning, and so have no place among these.
    """

    lexical: Scores
    dense: Scores
    fused: Scores
    beside: Scores = ()

    def breakdowns(self, taken: View, plan: Plan, ids: Sequence[int]) -> dict[int, dict[str, float]]:
        """Where the score of each of these chunks came from."""
        parts: dict[int, dict[str, float]] = {key: {} for key in ids}
        both = plan.needs_dense and plan.needs_lexical
        scores = {
            "lexical": self.lexical,
            "dense": [*self.dense, *self.beside],
            "fused": self.fused if both else (),
        }
        ranks = {"lexical_rank": self.lexical, "dense_rank": self.dense}
        for name, side in scores.items():
            for key, score in side:
                if key in parts:
                    parts[key][name] = score
        for name, side in ranks.items():
            for place, (key, _) in enumerate(side, 1):
                if key in parts:
                    parts[key][name] = place
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
    if not plan.needs_dense:
        words = retrieve.by_words_alone(taken, plan, scopes)
        return Ranking(words, [], words)
    if not plan.needs_lexical:
        near = [] if vector is None else retrieve.by_meaning_alone(taken, plan, scopes, vector)
        return Ranking([], near, near)
    if vector is None:
        sides = Sides(retrieve.by_words(taken, plan, scopes, retrieve.depth(plan)))
        weights = [1.0, 1.0]  # one side alone counts in full, whatever its weight
    else:
        sides = retrieve.both_sides(taken, plan, scopes, vector)
        weights = [plan.lexical_weight, plan.dense_weight]
    fused: Scores = FUSIONS[plan.fusion](sides, weights)
    if plan.mode == "fact":
        fused = _boosted(taken, plan, fused)
    return Ranking(sides.lexical, sides.dense, fused, sides.beside)


def _boosted(taken: View, plan: Plan, fused: Scores) -> Scores:
    texts = taken.snapshot.texts([key for key, _ in fused])
    return best_first(
        (key, score * fact_factor(plan.query, texts[key])) for key, score in fused if key in texts
    )
