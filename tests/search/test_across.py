"""Several corpora are fused by rank."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tamis.search.across import merge
from tamis.types import Hit, Lines, SearchResult


def result(corpus: str, *paths: str, coverage: float | None = 1.0) -> SearchResult:
    hits = tuple(
        Hit(
            f"{corpus}:{path}",
            corpus,
            path,
            100.0 / rank,
            0,
            0,
            1,
            Lines(1, 1),
            (),
            "paragraph",
            "t",
            "x",
            "h",
            rank,
        )
        for rank, path in enumerate(paths, 1)
    )
    return SearchResult(
        hits, corpus, f"model of {corpus}", len(paths), "hybrid", weak=not hits, dense_coverage=coverage
    )


def test_ranks_of_two_corpora_interleave_and_equals_go_by_path() -> None:
    merged = merge([result("one", "/b", "/d"), result("two", "/a", "/c")], {}, limit=3)
    assert [(hit.path, hit.rank) for hit in merged.hits] == [("/a", 1), ("/b", 2), ("/c", 3)]
    assert merged.hits[0].score == pytest.approx(1 / 61)
    assert merged.total_chunks == 4
    assert merged.corpus_name == "one, two"


def test_what_fell_short_is_told_by_corpus() -> None:
    whole = result("whole", "/a")
    short = [
        replace(result(name, "/b"), degraded=True, degrade_reason="no server", warnings=("no server",))
        for name in ("one", "two")
    ]
    merged = merge([whole, *short], {}, limit=3)
    assert merged.degraded
    assert merged.degrade_reason == "one: no server; two: no server"
    assert merged.warnings == ("one: no server", "two: no server")
    assert merge([whole], {}, limit=3).degrade_reason is None


def test_a_weight_lifts_a_corpus() -> None:
    merged = merge([result("one", "/b", "/d"), result("two", "/a", "/c")], {"one": 2.0}, limit=2)
    assert [hit.path for hit in merged.hits] == ["/b", "/d"]


@pytest.mark.parametrize(
    ("one", "two", "together"),
    [
        (1.0, 0.0, 3 / 4),
        (0.0, 1.0, 1 / 4),
        (0.0, 0.0, 0.0),
        (1.0, 1.0, 1.0),
        (None, 0.5, 0.5),
        (None, None, None),
    ],
)
def test_the_coverage_of_several_corpora_is_the_share_of_all_their_chunks(
    one: float | None, two: float | None, together: float | None
) -> None:
    corpora = [result("one", "/b", "/c", "/d", coverage=one), result("two", "/a", coverage=two)]
    assert merge(corpora, {}, limit=2).dense_coverage == together


def test_an_empty_corpus_takes_nothing_from_the_coverage() -> None:
    assert merge([result("one", coverage=0.0), result("two", "/a")], {}, limit=2).dense_coverage == 1
    assert merge([result("one", coverage=0.0), result("two", coverage=0.0)], {}, limit=2).dense_coverage == 0
