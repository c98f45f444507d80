"""The engines that tamis is measured beside, each as its own documentation sets it up, over the same texts and vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis.fusion import rrf

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from benchmarks.quality.collection import Collection
    from benchmarks.quality.vectors import Vectors

    Run = Callable[[str], Sequence[str]]

DEPTH = 100


def bm25s_flat(collection: Collection) -> Run:
    """bm25s with k1 1.2, b 0.75, English stemmer and stopwords, over title and text."""
    import bm25s
    import Stemmer

    stemmer = Stemmer.Stemmer("english")
    tokens = bm25s.tokenize(
        [entry.whole for entry in collection.entries], stopwords="en", stemmer=stemmer, show_progress=False
    )
    retriever = bm25s.BM25(k1=1.2, b=0.75)
    retriever.index(tokens, show_progress=False)
    depth = min(DEPTH, len(collection.entries))

    def run(query: str) -> Sequence[str]:
        asked = bm25s.tokenize([query], stopwords="en", stemmer=stemmer, show_progress=False)
        found, scores = retriever.retrieve(asked, k=depth, show_progress=False)
        return [
            collection.entries[place].id
            for place, score in zip(found[0].tolist(), scores[0].tolist(), strict=True)
            if score > 0
        ]

    return run


def tantivy_flat(collection: Collection) -> Run:
    """tantivy with its en_stem analyser, one field of title and text, the query's words joined by OR."""
    import re

    import tantivy

    schema = tantivy.SchemaBuilder()
    schema.add_unsigned_field("place", stored=True)
    schema.add_text_field("text", tokenizer_name="en_stem")
    index = tantivy.Index(schema.build())
    writer = index.writer(heap_size=100_000_000, num_threads=1)
    for place, entry in enumerate(collection.entries):
        writer.add_document(tantivy.Document(place=place, text=entry.whole))
    writer.commit()
    index.reload()
    searcher = index.searcher()

    def run(query: str) -> Sequence[str]:
        words = " ".join(re.findall(r"\w+", query.lower()))
        if not words:
            return []
        try:
            parsed = index.parse_query(words, ["text"])
        except ValueError:  # nothing that its analysis takes for a word, as in Chinese
            return []
        hits = searcher.search(parsed, DEPTH).hits
        return [collection.entries[searcher.doc(address)["place"][0]].id for _, address in hits]

    return run


def dense_alone(collection: Collection, vectors: Vectors) -> Run:
    """Exact cosine over whole documents."""

    def run(query: str) -> Sequence[str]:
        scores = vectors.documents @ vectors.query(query)
        return [collection.entries[place].id for place in np.argsort(-scores, kind="stable")[:DEPTH].tolist()]

    return run


def plain_rrf(lexical: Run, dense: Run) -> Run:
    """Reciprocal rank fusion with k = 60 of two other systems."""

    def run(query: str) -> Sequence[str]:
        rankings = [[(name, 0.0) for name in side(query)] for side in (lexical, dense)]
        return [name for name, _ in rrf(rankings)]

    return run


def lancedb_hybrid(collection: Collection, vectors: Vectors, folder: Path) -> Run:
    """LanceDB: full-text index of title and text, flat vector search, its RRF reranker."""
    import lancedb
    from lancedb.rerankers import RRFReranker

    table = lancedb.connect(folder).create_table(
        collection.name,
        [
            {"id": entry.id, "text": entry.whole, "vector": row}
            for entry, row in zip(collection.entries, vectors.documents, strict=True)
        ],
        mode="overwrite",
    )
    table.create_fts_index("text", replace=True)
    reranker = RRFReranker()

    def run(query: str) -> Sequence[str]:
        asked = table.search(query_type="hybrid").vector(vectors.query(query)).text(query)
        rows = asked.distance_type("cosine").rerank(reranker).limit(DEPTH).to_list()
        return [row["id"] for row in rows]

    return run


def txtai_hybrid(collection: Collection, vectors: Vectors) -> Run:
    """txtai with ``hybrid`` on: its BM25 and the same vectors, weighted equally, as it does by itself."""
    from txtai.embeddings import Embeddings

    known = {entry.whole: row for entry, row in zip(collection.entries, vectors.documents, strict=True)}
    known.update(vectors.queries)

    def vectors_by_text(texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([known[text] for text in texts])

    embeddings = Embeddings({"method": "external", "transform": vectors_by_text, "hybrid": True})
    embeddings.index((place, entry.whole, None) for place, entry in enumerate(collection.entries))

    def run(query: str) -> Sequence[str]:
        return [collection.entries[place].id for place, _ in embeddings.search(query, DEPTH)]

    return run
