"""What a search would do, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.render.printable import one_line
from tamis.render.quantities import count
from tamis.render.table import pairs

if TYPE_CHECKING:
    from tamis.library.searching import Outline
    from tamis.render.style import Style


def outline_text(outline: Outline, style: Style) -> str:
    """What is searched, filtered and reranked, and about what that costs."""
    request, plan = outline.request, outline.request.plan
    rows = [
        ("query", one_line(plan.query)),
        ("scope", request.scope),
        (
            "corpora",
            ", ".join(map(_weighted, request.corpora, map(request.corpus_weights.get, request.corpora))),
        ),
        ("mode", plan.mode),
        ("fusion", plan.fusion if plan.needs_dense and plan.needs_lexical else ""),
        ("files", one_line(plan.filter.path_glob or "")),
        ("since", one_line(plan.filter.since or "")),
        ("min score", "" if request.min_score is None else f"{request.min_score:g}"),
        ("hits", f"{request.top_k:,}"),
    ]
    if outline.rerank is None:
        rows.append(("rerank", "no"))
    else:
        given = count(outline.rerank.candidates, "candidate")
        rows += [
            ("rerank", f"{outline.rerank.driver}: {given} in, {outline.rerank.output_top_n:,} out"),
            ("blend", f"{outline.rerank.blend:g} of the score is the first stage's"),
            ("deadline", f"{outline.rerank.deadline_s:g} s"),
            ("cost", _cost(outline.rerank.estimated_cents, request.budget_cents)),
        ]
    return pairs(rows, style)


def _cost(cents: float | None, budget: float | None) -> str:
    if cents == 0:
        return "none"
    told = "not known" if cents is None else f"about {cents:.4g} cents"
    return told if budget is None else f"{told}, of {budget:g} that may be spent"


def _weighted(corpus: str, weight: float | None) -> str:
    return corpus if weight is None else f"{corpus} × {weight:g}"
