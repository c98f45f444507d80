"""``python -m benchmarks.scale [CHUNKS …]``: latency, build time and memory beside the engines alone and LanceDB."""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

import numpy as np

import tamis
from benchmarks.scale import peers
from benchmarks.scale.corpus import DIMENSIONS, RandomEmbedder, Text, write_files
from benchmarks.scale.measuring import Row, peak_mb, row, show, timed
from tamis import embedders
from tamis.dense import TurbovecIndex
from tamis.lexical import BM25, FIELD_WEIGHTS, TantivyIndex

QUERIES = 200


class Asked(RandomEmbedder):
    """Remembers the queries' vectors, so that what is timed is the search without the query's embedding."""

    def __init__(self, queries: list[str]) -> None:
        super().__init__()
        self._known = {query: RandomEmbedder.embed_query(self, query) for query in queries}

    def embed_query(self, text: str):
        known = getattr(self, "_known", {}).get(text)
        return super().embed_query(text) if known is None else known


def tamis_rows(folder: Path, home: Path, queries: list[str], embedder: Asked) -> list[Row]:
    embedders.register("random")(lambda *_: embedder)
    library = tamis.open(home)
    lexical, corpus = timed(lambda: library.index("scale", [folder], embedder="random", dense=False))
    dense, _ = timed(corpus.embed)
    print(
        f"{corpus.summary().chunks} chunks, {corpus.summary().bytes_on_disk / 1e6:.0f} MB on disk, peak {peak_mb():.0f} MB"
    )
    modes = {
        "lexical": lexical,
        "semantic": dense,
        "hybrid": lexical + dense,
        "title_path": lexical,
        "fact": lexical + dense,
    }
    rows = [
        row(f"tamis {mode}", seconds, lambda query, mode=mode: corpus.search(query, mode=mode), queries)
        for mode, seconds in modes.items()
    ]
    half = tamis.Filter(path_glob="**/*[05].md".replace("[05]", "?"))
    rows.append(
        row("tamis hybrid, filtered", lexical + dense, lambda q: corpus.search(q, filter=half), queries)
    )
    refresh, report = timed(corpus.refresh)
    assert report.no_op
    files = len(report.unchanged)
    path = next(iter(sorted(folder.rglob("*.md"))))
    amend, _ = timed(lambda: corpus.amend(path, "# Amended\n\nA new text.\n"))
    again, _ = timed(lambda: corpus.amend(path, "# Amended\n\nA newer text.\n"))
    print(
        f"refresh without a change: {refresh * 1000:.0f} ms for {files} files; amend {amend * 1000:.0f}, {again * 1000:.0f} ms"
    )
    library.close()
    return rows


def own_indexes(home: Path, queries: list[str], embedder: Asked) -> list[Row]:
    """The two indexes of the corpus by themselves, which return ids as the engines alone do."""
    folder = home / "corpora" / "scale"
    words = TantivyIndex(folder / "lexical")
    dense = TurbovecIndex(folder / "dense.tvim", DIMENSIONS)
    return [
        row(
            "tamis, its index of words alone",
            0,
            lambda query: words.search(query, peers.TOP, weights=FIELD_WEIGHTS, bm25=BM25),
            queries,
        ),
        row(
            "tamis, its dense index alone",
            0,
            lambda query: dense.search(embedder.embed_query(query), peers.TOP),
            queries,
        ),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("chunks", nargs="*", type=int, default=[10_000, 100_000])
    parser.add_argument("--without-lancedb", action="store_true")
    options = parser.parse_args()
    os.environ["TAMIS_CONFIG"] = os.devnull
    for chunks in options.chunks:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            texts = write_files(folder / "docs", chunks)
            queries = Text.make().queries(QUERIES)
            embedder = Asked(queries)
            rows = tamis_rows(folder / "docs", folder / "home", queries, embedder)
            rows += own_indexes(folder / "home", queries, embedder)
            vectors = np.stack([embedder.embed_query(text) for text in texts])
            (folder / "tantivy").mkdir()
            rows.append(peers.raw_tantivy(folder / "tantivy", texts, queries))
            rows.append(peers.raw_turbovec(vectors, embedder, queries))
            rows.append(peers.bm25s_alone(texts, queries))
            if not options.without_lancedb:
                rows += peers.lancedb_hybrid(folder / "lancedb", texts, vectors, embedder, queries)
            show(f"{chunks:,} chunks", rows)


if __name__ == "__main__":
    main()
