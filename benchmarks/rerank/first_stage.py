"""What is reranked: for each query the top of a hybrid ranking of whole documents."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from benchmarks.quality.vectors import vectors_of
from tamis.fusion import Sides, adaptive, background
from tamis.lexical import BM25, FIELD_WEIGHTS, TantivyIndex
from tamis.types import Candidate, LexicalDocument, Stamp

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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
    """The default fusion of tamis' lexical index and the bundled encoder, 100 deep each."""
    vectors = vectors_of(collection, cache)
    lexical = _lexical(collection)

    def top(query: str) -> Sequence[Candidate]:
        cosines = (vectors.documents @ vectors.query(query)).tolist()
        words = lexical(query)
        near = sorted(range(len(cosines)), key=lambda place: -cosines[place])[:DEPTH]
        beside = [(place, cosines[place]) for place, _ in words if place not in set(near)]
        dense = [(place, cosines[place]) for place in near]
        fused = adaptive(Sides(words, dense, beside, background(cosines, len(cosines))))
        return [
            Candidate(
                id=collection.entries[place].id,
                text=collection.entries[place].text,
                title=collection.entries[place].title,
                score=score,
                rank=rank,
                vector=vectors.documents[place],
            )
            for rank, (place, score) in enumerate(fused[:DEPTH], 1)
        ]

    return FirstStage(collection.name, tuple(queries), top)


def _lexical(collection: Collection) -> Callable[[str], list[tuple[int, float]]]:
    folder = TemporaryDirectory(prefix="tamis-benchmark-")
    index = TantivyIndex(Path(folder.name))
    index.clear()
    documents = [
        LexicalDocument(place, place, entry.title, "", "", entry.text, "text")
        for place, entry in enumerate(collection.entries)
    ]
    index.apply(Stamp("benchmark", 1), documents, [])

    def search(query: str) -> list[tuple[int, float]]:
        assert folder.name  # the folder lives as long as the function
        return [(hit.id, hit.score) for hit in index.search(query, DEPTH, weights=FIELD_WEIGHTS, bm25=BM25)]

    return search
