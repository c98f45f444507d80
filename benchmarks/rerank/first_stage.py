"""What is reranked: for each query the top of a hybrid ranking of whole documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.quality.systems.peers import bm25s_flat
from benchmarks.quality.vectors import vectors_of
from tamis.fusion import rrf
from tamis.types import Candidate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from benchmarks.quality.collection import Collection
    from tamis.evaluate import GoldQuery

DEPTH = 100


@dataclass(frozen=True, slots=True)
class FirstStage:
    """``top(query)``: the candidates of the fused ranking, best first, with their vectors."""

    name: str
    queries: tuple[GoldQuery, ...]
    top: Callable[[str], Sequence[Candidate]]


def hybrid(collection: Collection, queries: Sequence[GoldQuery], cache: Path) -> FirstStage:
    """Reciprocal rank fusion, k = 60, of bm25s and the bundled encoder, 100 deep each."""
    vectors = vectors_of(collection, cache)
    lexical = bm25s_flat(collection)
    places = {entry.id: place for place, entry in enumerate(collection.entries)}

    def top(query: str) -> Sequence[Candidate]:
        nearness = vectors.documents @ vectors.query(query)
        dense = [
            collection.entries[place].id for place in np.argsort(-nearness, kind="stable")[:DEPTH].tolist()
        ]
        fused = rrf([[(name, 0.0) for name in side] for side in (lexical(query), dense)])
        return [
            Candidate(
                id=name,
                text=collection.entries[places[name]].text,
                title=collection.entries[places[name]].title,
                score=score,
                rank=rank,
                vector=vectors.documents[places[name]],
            )
            for rank, (name, score) in enumerate(fused[:DEPTH], 1)
        ]

    return FirstStage(collection.name, tuple(queries), top)
