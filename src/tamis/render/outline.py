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
    """What is searched, filtered and reranked, and what that costs at most."""
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
    if request.reranker is None:
        rows.append(("rerank", "no"))
    else:
        budget = "" if request.budget_cents is None else f", of {request.budget_cents:g} that may be spent"
        given = count(outline.candidates, "candidate")
        rows += [
            ("rerank", f"{request.reranker.driver}: {given} in, {request.reranker.output_top_n:,} out"),
            (
                "cost",
                f"at most {outline.estimated_cents:.4g} cents{budget}" if outline.estimated_cents else "none",
            ),
        ]
    return pairs(rows, style)


def _weighted(corpus: str, weight: float | None) -> str:
    return corpus if weight is None else f"{corpus} × {weight:g}"
