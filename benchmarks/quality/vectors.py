"""Vectors of a collection's whole documents and of its queries, from the encoder that tamis brings, kept on disk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tamis import embedders

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from benchmarks.quality.collection import Collection

BATCH = 256


@dataclass(frozen=True, slots=True)
class Vectors:
    """``documents`` has one normalised float32 row for each of the collection's entries, in order."""

    documents: NDArray[np.float32]
    queries: dict[str, NDArray[np.float32]]

    def query(self, text: str) -> NDArray[np.float32]:
        return self.queries[text]


def vectors_of(collection: Collection, cache: Path, embedder_name: str = "bundled") -> Vectors:
    """The vectors, computed when the cache has none for this encoder and these documents."""
    folder = cache / "vectors" / collection.name
    folder.mkdir(parents=True, exist_ok=True)
    embedder = embedders.get(embedder_name, cache=cache)
    documents, queries = folder / "documents.npy", folder / "queries.npy"
    if not documents.exists():
        np.save(documents, _embedded(embedder, [entry.whole for entry in collection.entries]))
    if not queries.exists():
        np.save(queries, np.stack([embedder.embed_query(query.text) for query in collection.gold.queries]))
    rows = np.load(queries)
    texts = [query.text for query in collection.gold.queries]
    return Vectors(
        np.load(documents).astype(np.float32), dict(zip(texts, rows.astype(np.float32), strict=True))
    )


def _embedded(embedder: Any, texts: list[str]) -> NDArray[np.float32]:
    return np.concatenate(
        [
            embedder.embed_passages(texts[start : start + BATCH]).vectors
            for start in range(0, len(texts), BATCH)
        ]
    )
