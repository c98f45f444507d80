"""The engines that tamis is made of, alone, and what else people use; each asked for its top 100."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.scale.measuring import System, timed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from benchmarks.scale.corpus import RandomEmbedder

TOP = 100
LANCEDB_QUERIES = 60


def raw_tantivy(folder: Path, texts: Sequence[str]) -> System:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("id", stored=False, indexed=True, fast=True)
    builder.add_text_field("body", stored=False, tokenizer_name="en_stem")
    index = tantivy.Index(builder.build(), str(folder))

    def build() -> None:
        writer = index.writer(64_000_000, 1)
        for number, text in enumerate(texts):
            document = tantivy.Document()
            document.add_unsigned("id", number)
            document.add_text("body", text)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        index.reload()

    seconds, _ = timed(build)
    searcher = index.searcher()

    def ask(query: str) -> list[int]:
        found = searcher.search(index.parse_query(query, ["body"]), TOP, count=False).hits
        return searcher.fast_field_values("id", [address for _, address in found])

    return System("tantivy alone", seconds, ask)


def raw_turbovec(vectors: NDArray[np.float32], embedder: RandomEmbedder) -> System:
    from turbovec import IdMapIndex

    index = IdMapIndex(dim=vectors.shape[1], bit_width=4)
    halves = vectors.astype(np.float16)

    def build() -> None:
        index.add_with_ids(vectors, np.arange(len(vectors), dtype=np.uint64))
        index.prepare()

    seconds, _ = timed(build)

    def ask(query: str) -> object:
        vector = embedder.embed_query(query)
        _, found = index.search(vector[None], TOP)
        ids = found[0].astype(np.int64)
        return ids[np.argsort(-(halves[ids].astype(np.float32) @ vector))]

    return System("turbovec alone, rescored", seconds, ask)


def bm25s_alone(texts: Sequence[str]) -> System:
    import bm25s
    import Stemmer

    stemmer = Stemmer.Stemmer("english")
    model = bm25s.BM25()

    def build() -> None:
        tokens = bm25s.tokenize(list(texts), stemmer=stemmer, show_progress=False)
        model.index(tokens, show_progress=False)

    seconds, _ = timed(build)

    def ask(query: str) -> object:
        tokens = bm25s.tokenize([query], stemmer=stemmer, show_progress=False)
        return model.retrieve(tokens, k=TOP, show_progress=False)

    return System("bm25s", seconds, ask)


def lancedb_hybrid(
    folder: Path, texts: Sequence[str], vectors: NDArray[np.float32], embedder: RandomEmbedder
) -> Iterator[System]:
    """LanceDB's hybrid search with its RRF, without and with a vector index."""
    # It warns of a change to come at each of the searches below.
    os.environ.setdefault("LANCEDB_LOG", "error")
    import lancedb
    import pyarrow as pa
    from lancedb.rerankers import RRFReranker

    data = pa.table(
        {
            "id": pa.array(range(len(texts)), pa.int64()),
            "text": pa.array(texts),
            "vector": pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), vectors.shape[1]),
        }
    )
    reranker = RRFReranker()

    def build(kind: str) -> lancedb.table.Table:
        table = lancedb.connect(folder / kind).create_table("chunks", data)
        table.create_fts_index("text", replace=True)
        if kind == "indexed":
            table.create_index(metric="cosine", vector_column_name="vector")
        return table

    def ask(table: lancedb.table.Table, query: str) -> object:
        search = table.search(query_type="hybrid").vector(embedder.embed_query(query)).text(query)
        return search.rerank(reranker).limit(TOP).select(["id"]).to_arrow()

    for kind in ("flat", "indexed"):
        seconds, table = timed(partial(build, kind))
        yield System(f"LanceDB hybrid, {kind}", seconds, partial(ask, table), LANCEDB_QUERIES)
