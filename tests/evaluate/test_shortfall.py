"""What a search did not do is kept with what came of it, and nothing is concluded from it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.samples import HIT

from tamis.evaluate import Gold, GoldQuery, Target, compare, evaluate, html_report, parse_measure
from tamis.types import SearchResult

if TYPE_CHECKING:
    from collections.abc import Callable

COUNT = 18
GOLD = Gold(tuple(GoldQuery(str(n), f"query {n}", (Target("a.md"),)) for n in range(COUNT)))
MRR = parse_measure("MRR")
FOUND = replace(HIT, score_breakdown={"lexical": 1.0})
FINE = SearchResult((replace(FOUND, rerank_score=1.0),), "notes", "", 1, "lexical", reranker="slow")
LATE = replace(
    FINE, hits=(FOUND,), degraded=True, degrade_reason="slow did not answer within 10 s", reranker="slow"
)
UNREAD = replace(LATE, degraded=False, degrade_reason=None, warnings=("slow: it does not read this script",))
NO_MODEL = replace(
    LATE, reranker=None, mode="hybrid", dense_coverage=1.0, degrade_reason="searched by words only: gone"
)
NO_VECTORS = SearchResult((FOUND,), "notes", "", 1, "hybrid", dense_coverage=0.0)
NO_WORDS = replace(FINE, degraded=True, degrade_reason="the index of words is being rebuilt")


def first(short: int, result: SearchResult) -> Callable[[str], SearchResult]:
    """A set-up of which the first ``short`` queries come to ``result``."""
    return lambda query: result if int(query.split()[1]) < short else FINE


@pytest.mark.parametrize(
    ("result", "note"),
    [
        (FINE, ""),
        (LATE, "18 of 18 not reranked"),
        (UNREAD, "18 of 18 not reranked"),
        (NO_MODEL, "18 of 18 by words only"),
        (NO_VECTORS, "18 of 18 by words only"),
        (NO_WORDS, "18 of 18 degraded"),
    ],
)
def test_every_kind_of_degradation_is_counted_and_worded(result: SearchResult, note: str) -> None:
    assert evaluate(first(COUNT, result), GOLD, [MRR]).shortfall_note == note


def test_a_driver_that_passes_over_every_passage_says_why_itself() -> None:
    run = evaluate(first(COUNT, UNREAD), GOLD, [MRR])
    assert run.shortfall_reasons == {"slow: it does not read this script": COUNT}


def test_json_has_the_count_the_reasons_and_the_queries() -> None:
    record = evaluate(first(2, LATE), GOLD, [MRR]).to_dict()
    assert record["degraded"] == 2
    assert record["degrade_reasons"] == {"slow did not answer within 10 s": 2}
    assert [one["degraded"] for one in record["per_query"]] == ["not reranked"] * 2 + [None] * 16


@pytest.mark.parametrize(("short", "told"), [(0, True), (8, True), (9, False), (18, False)])
def test_no_significance_is_given_where_half_or_more_fell_short(short: int, told: bool) -> None:
    whole, part = evaluate(first(0, LATE), GOLD, [MRR]), evaluate(first(short, LATE), GOLD, [MRR])
    for one in (compare(whole, part, MRR), compare(part, whole, MRR)):
        assert (one.p_value is not None, one.interval is not None) == (told, told)
        assert (one.wins, one.losses, one.ties) == (0, 0, COUNT)


def test_the_report_marks_the_set_up_wherever_it_stands() -> None:
    whole = evaluate(first(0, LATE), GOLD, [MRR], name="lexical")
    unranked = evaluate(first(COUNT, LATE), GOLD, [MRR], name="lexical + slow")
    page = html_report([whole, unranked], GOLD, warnings=["<late>"])
    # In the table of means, under its plot and over its worst queries.
    assert page.count("18 of 18 not reranked") == 3
    assert "p = " not in page
    assert "&lt;late&gt;" in page
    assert "18 of 18" not in html_report([whole, whole], GOLD)
