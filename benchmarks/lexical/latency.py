"""Latency and build time of the lexical index beside tantivy's own analysis and query parser, over the same passages."""

from __future__ import annotations

import random
import re
import tempfile
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import tantivy

from benchmarks.quality.collection import collections
from benchmarks.scale.measuring import System, measured, peak_mb, show, timed
from tamis.lexical import BM25, FIELD_WEIGHTS, TantivyIndex
from tamis.types import Bm25, LexicalDocument, Stamp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TOP = 100
PASSAGE = 800
CHUNKS_A_FILE = 30
QUERIES_A_SET = 30
ENGLISH = (
    "chunking-eval",
    "cisi",
    "claude-docs",
    "cosqa-dev",
    "cranfield",
    "locomo-sessions",
    "scifact",
    "time",
)


def latency(folder: Path, chunks: int) -> None:
    """Print a table of the sets' own queries over ``chunks`` passages, made of halves of theirs."""
    sets = list(collections(folder, list(ENGLISH)))
    halves = [
        entry.text[start : start + PASSAGE // 2]
        for each in sets
        for entry in each.entries
        for start in range(0, len(entry.text), PASSAGE // 2)
    ]
    draw = random.Random(1)
    documents = list(islice(_documents(halves, draw), chunks))
    queries = [query.text for each in sets for query in each.gold.queries[:QUERIES_A_SET]]
    index, build = _built(documents)
    rows = measured([*_tamis(index, build, documents, queries), *_tantivy(documents)], queries)
    show(f"{len(queries)} questions, {chunks:,} passages, top {TOP}", rows)
    for generation in range(2, 5):
        changed = documents[generation * CHUNKS_A_FILE :][:20]
        seconds, _ = timed(partial(index.apply, Stamp("latency", generation), changed, []))
        print(f"20 chunks replaced in {seconds * 1000:.0f} ms")


def _documents(halves: list[str], draw: random.Random) -> Iterator[LexicalDocument]:
    number = 0
    while True:
        title = draw.choice(halves)[:60]
        for _ in range(CHUNKS_A_FILE):
            number += 1
            file = number // CHUNKS_A_FILE
            heading = f"{title} {draw.choice(halves)[:40]}"
            body = f"{draw.choice(halves)} {draw.choice(halves)}"
            path = f"docs/part{file // 100}/page{file}.md"
            yield LexicalDocument(number, file, title, heading, path, body, "text")


def _built(documents: list[LexicalDocument]) -> tuple[TantivyIndex, float]:
    index = TantivyIndex(Path(tempfile.mkdtemp(prefix="tamis-lexical-")))
    build, _ = timed(lambda: index.apply(Stamp("latency", 1), documents, []))
    megabytes = sum(len(document.body) for document in documents) / 1e6
    print(
        f"\n{megabytes / build:.1f} MB/s of text indexed; peak {peak_mb():.0f} MB with the texts themselves"
    )
    return index, build


def _tamis(
    index: TantivyIndex, build: float, documents: list[LexicalDocument], queries: list[str]
) -> list[System]:
    def ask(query: str, limit: int = TOP, bm25: Bm25 = BM25, files: list[int] | None = None) -> list[int]:
        hits = index.search(query, limit, weights=FIELD_WEIGHTS, bm25=bm25, file_ids=files)
        return [hit.id for hit in hits]

    files = sorted({document.file_id for document in documents})
    first = {query: ask(query, 10) for query in queries}
    variants: dict[str, Callable[[str], object]] = {
        "tamis": ask,
        "tamis, in every second file": lambda query: ask(query, files=files[::2]),
        "tamis, in every twentieth file": lambda query: ask(query, files=files[::20]),
        "tamis, in ten files": lambda query: ask(query, files=files[:10]),
        "tamis, k1 = 0.9, b = 0.4": lambda query: ask(query, bm25=Bm25(0.9, 0.4)),
        "tamis, k1 = 0.9, b = 0.4, top 10": lambda query: ask(query, 10, Bm25(0.9, 0.4)),
        "tamis, shares of ten hits": lambda query: index.explain(
            query, first[query], weights=FIELD_WEIGHTS, bm25=BM25
        ),
    }
    return [System(name, build, asked) for name, asked in variants.items()]


def _tantivy(documents: list[LexicalDocument]) -> list[System]:
    fields = ["title", "heading", "path", "body"]
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("id", indexed=True, fast=True)
    for field in fields:
        builder.add_text_field(field, tokenizer_name="en_stem")
    index = tantivy.Index(builder.build(), tempfile.mkdtemp(prefix="tantivy-"))

    def build() -> None:
        writer = index.writer(64_000_000, 1)
        for each in documents:
            document = tantivy.Document(
                title=each.title, heading=each.heading, path=each.path, body=each.body
            )
            document.add_unsigned("id", each.id)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        index.reload()

    seconds, _ = timed(build)
    searcher = index.searcher()

    def ask(query: str, among: list[str]) -> list[int]:
        words = " ".join(re.findall(r"\w+", query.lower()))
        found = searcher.search(index.parse_query(words, among), TOP, count=False).hits
        return searcher.fast_field_values("id", [address for _, address in found])

    return [
        System(f"tantivy alone, {len(among)} field(s)", seconds, partial(ask, among=among))
        for among in (fields, ["body"])
    ]
