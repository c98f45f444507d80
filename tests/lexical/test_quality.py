"""Rankings of the test collections are as good as was promised (issue 2), a document a chunk."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tamis.evaluate import evaluate, parse_measure, read_gold
from tamis.lexical import BM25, FIELD_WEIGHTS, TantivyIndex
from tamis.types import LexicalDocument
from tests.lexical.documents import FIRST

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.shared


@pytest.mark.parametrize(
    ("name", "promised"),
    [
        ("cranfield", 0.52),
        ("time", 0.74),
        ("xquad-ru", 0.95),
        ("xquad-th", 0.93),
        ("xquad-zh", 0.95),
        pytest.param("cosqa-dev", 0.39, marks=pytest.mark.slow),
        pytest.param("scifact", 0.67, marks=pytest.mark.slow),
    ],
)
def test_the_lexical_ranking_reaches_its_ndcg(
    shared: Path, index: TantivyIndex, name: str, promised: float
) -> None:
    with (shared / "ir" / name / "corpus.jsonl").open(encoding="utf-8") as lines:
        entries = [json.loads(line) for line in lines]
    documents = (
        LexicalDocument(number, number, entry["title"], "", "", entry["text"], "text")
        for number, entry in enumerate(entries)
    )
    index.apply(FIRST, documents, [])

    def run(query: str) -> list[str]:
        hits = index.search(query, 100, weights=FIELD_WEIGHTS, bm25=BM25)
        return [entries[hit.id]["_id"] for hit in hits]

    measure = parse_measure("nDCG@10")
    assert evaluate(run, read_gold(shared / "ir" / name), [measure], name=name).mean(measure) >= promised
