"""nDCG@10 of the bundled encoder over passages: alone, and under the title and headings that they stand under."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from benchmarks.quality.collection import collections
from tamis import embedders
from tamis.chunking import chunk
from tamis.evaluate import evaluate, parse_measure
from tamis.indexing.passage import embedding_text
from tamis.readers import read_text
from tamis.types import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from benchmarks.quality.collection import Collection
    from tamis.ports import Embedder

WAYS = {
    "passage alone": lambda _title, _headings, text: text,
    "under its title": lambda title, _headings, text: embedding_text(title, (), text),
    "under title and headings": embedding_text,
}
"""The last is what tamis does."""
BATCH = 256
DEPTH = 100


def context(folder: Path, cache: Path, names: list[str]) -> Iterator[str]:
    """A line for each collection: passages, then the nDCG@10 of each way. A document stands where its best passage does."""
    yield f"{'':20s} {'passages':>8s} " + " ".join(f"{way:>26s}" for way in WAYS)
    embedder = embedders.get("bundled", cache=cache)
    for collection in collections(folder, names):
        owners, passages = _passages(collection)
        values = [
            _ndcg(collection, owners, [way(*each) for each in passages], embedder) for way in WAYS.values()
        ]
        yield f"{collection.name:20s} {len(passages):8d} " + " ".join(f"{value:26.4f}" for value in values)


def _passages(collection: Collection) -> tuple[list[str], list[tuple[str, tuple[str, ...], str]]]:
    """Of every passage the id of its document, and its title, headings and text."""
    settings = Settings(paths=())
    owners: list[str] = []
    passages: list[tuple[str, tuple[str, ...], str]] = []
    for place, entry in enumerate(collection.entries):
        text = f"# {entry.title}\n\n{entry.text}\n" if entry.title else entry.text
        document = read_text(f"/{place:06d}{'.md' if entry.title else '.txt'}", text)
        chunked = chunk(document, chunk_chars=settings.chunk_chars, chunk_overlap=settings.chunk_overlap)
        for each in chunked.chunks:
            owners.append(entry.id)
            passages.append((chunked.title, each.heading_path, each.text))
    return owners, passages


def _ndcg(collection: Collection, owners: Sequence[str], texts: Sequence[str], embedder: Embedder) -> float:
    rows = np.concatenate(
        [embedder.embed_passages(texts[at : at + BATCH]).vectors for at in range(0, len(texts), BATCH)]
    )

    def run(query: str) -> list[str]:
        order = np.argsort(-(rows @ embedder.embed_query(query)))
        return list(dict.fromkeys(owners[at] for at in order))[:DEPTH]

    measure = parse_measure("nDCG@10")
    return evaluate(run, collection.gold, [measure]).mean(measure)
