"""nDCG@10 of the lexical index beside bm25s and tantivy's own analysis, on the same queries in the same run."""

from __future__ import annotations

import re
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import tantivy

from benchmarks.quality.collection import collections
from benchmarks.quality.halves import in_half
from benchmarks.quality.systems import peers
from benchmarks.quality.table import latencies, markdown
from tamis.evaluate import Gold, evaluate, parse_measure
from tamis.lexical import BM25, FIELD_WEIGHTS, TantivyIndex
from tamis.types import LexicalDocument, Stamp

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from benchmarks.quality.collection import Collection
    from tamis.evaluate import Evaluation

    Run = Callable[[str], Sequence[str]]

MEASURE = "nDCG@10"
TOP = 100


def quality(folder: Path, only: list[str], halves: Sequence[str]) -> None:
    """Print a table for each half of the queries."""
    results: dict[str, dict[str, dict[str, Evaluation]]] = {half: {} for half in halves}
    for collection in collections(folder, only):
        systems = {
            "tamis": tamis_lexical(collection),
            "bm25s": peers.bm25s_flat(collection),
            "tantivy, en_stem": tantivy_lenient(collection),
        }
        for half in halves:
            keep = partial(in_half, half)
            gold = Gold(
                tuple(query for query in collection.gold.queries if keep(query.id)), collection.gold.level
            )
            results[half][collection.name] = {
                name: evaluate(run, gold, [parse_measure(MEASURE)], name=name)
                for name, run in systems.items()
            }
    for half in halves:
        print(f"\n### {half} queries\n")
        print(markdown(results[half], parse_measure(MEASURE), "tamis"))
    if halves:
        print()
        print(latencies(results[halves[0]]))


def tamis_lexical(collection: Collection) -> Run:
    """The index with its defaults, a document a chunk, its title in its field."""
    index = TantivyIndex(Path(tempfile.mkdtemp(prefix="tamis-lexical-")))
    documents = (
        LexicalDocument(number, number, entry.title, "", "", entry.text, "text")
        for number, entry in enumerate(collection.entries)
    )
    index.apply(Stamp(collection.name, 1), documents, [])

    def run(query: str) -> Sequence[str]:
        hits = index.search(query, TOP, weights=FIELD_WEIGHTS, bm25=BM25)
        return [collection.entries[hit.id].id for hit in hits]

    return run


def tantivy_lenient(collection: Collection) -> Run:
    """tantivy's en_stem over title and text; a query that its grammar does not take ("not …") is read leniently."""
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("id", fast=True)
    builder.add_text_field("text", tokenizer_name="en_stem")
    index = tantivy.Index(builder.build())
    writer = index.writer(64_000_000, 1)
    for number, entry in enumerate(collection.entries):
        document = tantivy.Document(text=entry.whole)
        document.add_unsigned("id", number)
        writer.add_document(document)
    writer.commit()
    index.reload()
    searcher = index.searcher()

    def run(query: str) -> Sequence[str]:
        asked, _ = index.parse_query_lenient(" ".join(re.findall(r"\w+", query.lower())), ["text"])
        found = searcher.search(asked, TOP, count=False).hits
        numbers = searcher.fast_field_values("id", [address for _, address in found])
        return [collection.entries[number].id for number in numbers]

    return run
