"""What the hits of a search bring along: how similar each passage is to the question, by the vectors of an index."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.compress.cases import Case
    from tamis.ports import Embedder


def with_cosines(cases: Sequence[Case], embedder: Embedder) -> list[Case]:
    """The cases with their passages' cosines; each passage is embedded once, below its title as in an index."""
    wholes = list(dict.fromkeys(whole for case in cases for whole in _wholes(case)))
    vectors = dict(zip(wholes, embedder.embed_passages(wholes).vectors, strict=True))
    return [
        replace(case, cosines=tuple(float(vectors[whole] @ target) for whole in _wholes(case)))
        for case in cases
        for target in [embedder.embed_query(case.query)]
    ]


def _wholes(case: Case) -> list[str]:
    return ["\n".join(filter(None, pair)) for pair in zip(case.titles, case.texts, strict=True)]
