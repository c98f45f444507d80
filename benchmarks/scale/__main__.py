"""``python -m benchmarks.scale [CHUNKS …]``: latency, build time and memory beside the engines alone and LanceDB."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import numpy as np

import tamis
from benchmarks.scale import peers
from benchmarks.scale.corpus import DIMENSIONS, RandomEmbedder, Text, write_files
from benchmarks.scale.measuring import System, measured, peak_mb, show, timed
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


def tamis_systems(corpus: tamis.Corpus, words: float, meaning: float) -> list[System]:
    """Searches of a corpus whose two indexes took so long to build."""
    modes = {
        "lexical": words,
        "semantic": meaning,
        "hybrid": words + meaning,
        "title_path": words,
        "fact": words + meaning,
    }
    half = tamis.Filter(path_glob="**/*?.md")
    return [
        *(
            System(f"tamis {mode}", seconds, partial(corpus.search, mode=mode))
            for mode, seconds in modes.items()
        ),
        System("tamis hybrid, filtered", words + meaning, partial(corpus.search, filter=half)),
    ]


def own_indexes(home: Path, embedder: Asked) -> list[System]:
    """The two indexes of the corpus by themselves, which return ids as the engines alone do."""
    folder = home / "corpora" / "scale"
    words = TantivyIndex(folder / "lexical")
    dense = TurbovecIndex(folder / "dense.tvim", DIMENSIONS)
    return [
        System(
            "tamis, its index of words alone",
            0,
            lambda query: words.search(query, peers.TOP, weights=FIELD_WEIGHTS, bm25=BM25),
        ),
        System(
            "tamis, its dense index alone",
            0,
            lambda query: dense.search(embedder.embed_query(query), peers.TOP),
        ),
    ]


def upkeep(corpus: tamis.Corpus, folder: Path) -> None:
    refresh, report = timed(corpus.refresh)
    assert report.no_op
    path = next(iter(sorted(folder.rglob("*.md"))))
    amends = [timed(partial(corpus.amend, path, f"# Amended\n\n{text}\n"))[0] for text in ("A", "B")]
    print(
        f"refresh without a change: {refresh * 1000:.0f} ms for {len(report.unchanged)} files; "
        f"amend {amends[0] * 1000:.0f}, {amends[1] * 1000:.0f} ms"
    )


def compare(folder: Path, chunks: int, *, with_lancedb: bool) -> None:
    """Print the table for a corpus of so many chunks."""
    texts = write_files(folder / "docs", chunks)
    queries = Text.make().queries(QUERIES)
    embedder = Asked(queries)
    embedders.register("random")(lambda *_: embedder)
    with tamis.open(folder / "home") as library:
        words, corpus = timed(
            lambda: library.index("scale", [folder / "docs"], embedder="random", dense=False)
        )
        meaning, _ = timed(corpus.embed)
        summary = corpus.summary()
        print(
            f"{summary.chunks} chunks, {summary.bytes_on_disk / 1e6:.0f} MB on disk, peak {peak_mb():.0f} MB"
        )
        vectors = np.stack([embedder.embed_query(text) for text in texts])
        (folder / "tantivy").mkdir()
        systems = [
            *tamis_systems(corpus, words, meaning),
            *own_indexes(folder / "home", embedder),
            peers.raw_tantivy(folder / "tantivy", texts),
            peers.raw_turbovec(vectors, embedder),
            peers.bm25s_alone(texts),
        ]
        if with_lancedb:
            systems += peers.lancedb_hybrid(folder / "lancedb", texts, vectors, embedder)
        show(f"{chunks:,} chunks", measured(systems, queries))
        upkeep(corpus, folder / "docs")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("chunks", nargs="*", type=int, default=[10_000, 100_000])
    parser.add_argument("--without-lancedb", action="store_true")
    options = parser.parse_args()
    os.environ["TAMIS_CONFIG"] = os.devnull
    if len(options.chunks) == 1:
        with tempfile.TemporaryDirectory() as scratch:
            compare(Path(scratch), options.chunks[0], with_lancedb=not options.without_lancedb)
        return
    # Each in a process of its own: the memory of one is not the other's.
    flags = ["--without-lancedb"] if options.without_lancedb else []
    for chunks in options.chunks:
        subprocess.run([sys.executable, "-m", "benchmarks.scale", str(chunks), *flags], check=True)


if __name__ == "__main__":
    main()
