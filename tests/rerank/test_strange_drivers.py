"""Drivers of anyone's: what they get wrong harms neither the search nor the list."""

from __future__ import annotations

import math
import os
import time
from dataclasses import replace
from types import MappingProxyType

import pytest
from tests.samples import HIT

from tamis.errors import RerankError
from tamis.rerank import (
    BaseReranker,
    BudgetGuard,
    RerankSettings,
    StageContext,
    available,
    create,
    plan_rerank,
    register,
    rerank_hits,
)
from tamis.rerank.registry import registered
from tamis.rerank.stage import rerank_candidates
from tamis.types import Candidate, Relevance, RerankCapabilities

SETTINGS = RerankSettings("strange")


class Strange(BaseReranker):
    """Prefers what comes last; everything about it can be set."""

    key = "strange"

    def __init__(self, *, estimate=0.0, share=0.0, factor=1.0, **attributes):
        super().__init__()
        self.estimate, self.share, self.factor = estimate, share, factor
        for name, value in attributes.items():
            setattr(self, name, value)

    def estimate_cost_cents(self, count, *, query="", texts=(), config=None):
        if isinstance(self.estimate, Exception):
            raise self.estimate
        return self.estimate

    def blend_for(self, query, texts, config):
        return self.share

    def rerank(self, query, candidates, top_n, config):
        return [Relevance(one.id, self.factor * place) for place, one in enumerate(candidates, 1)][::-1]


def candidates(count=3):
    return [Candidate(str(n), f"text {n}", score=1.0 / n, rank=n) for n in range(1, count + 1)]


@pytest.mark.parametrize("share", [math.nan, 5, -0.1, "0.5", None])
def test_a_blend_that_is_no_share_leaves_the_first_order_with_a_warning(share):
    placed, report = rerank_candidates("q", candidates(), Strange(share=share), SETTINGS)
    assert [one.position for one in placed] == [0, 1, 2]
    assert report.degraded
    assert report.warnings


@pytest.mark.parametrize("estimate", [None, "much", RuntimeError("no table")])
def test_an_estimate_that_is_no_number_leaves_the_first_order_and_cannot_be_planned(estimate):
    _, report = rerank_candidates("q", candidates(), Strange(estimate=estimate), SETTINGS)
    assert report.degraded
    with pytest.raises(RerankError):
        plan_rerank(Strange(estimate=estimate), SETTINGS, 3)


def test_scores_beyond_all_measure_are_nonsense():
    _, report = rerank_candidates("q", candidates(), Strange(factor=1e305, share=0.5), SETTINGS)
    assert report.degraded


@pytest.mark.parametrize(
    "wrong",
    [
        {"version": 3},
        {"name": None},
        {"warnings": None},
        {"capabilities": None},
        {"capabilities": MappingProxyType({})},
        {"blend": "0.5"},
    ],
)
def test_a_driver_whose_parts_are_of_the_wrong_kind_is_listed_with_its_error(wrong):
    @register
    class Wrong(Strange):
        def __init__(self):
            super().__init__(**wrong)

        key = "strange"
        name = ""

    try:
        (listed,) = [info for info in available() if info.key == "strange"]
        assert next(iter(wrong)) in (listed.error or "")
        with pytest.raises(RerankError):
            create("strange")
    finally:
        registered().pop("strange")


def test_the_budget_is_looked_at_before_each_part():
    class Paid(Strange):
        capabilities = RerankCapabilities(max_results=2)

        def rerank(self, query, candidates, top_n, config):
            self.report_cost(5)  # for an estimate of 1
            return super().rerank(query, candidates, top_n, config)

    placed, report = rerank_candidates(
        "q", candidates(8), Paid(estimate=1.0), SETTINGS, StageContext(budget=BudgetGuard(10.5))
    )
    assert report.charged_cents == 10  # 10.5 left, then 5.5, then .5, which is less than 1: two parts of four
    assert [one.position for one in placed] == [1, 3, 0, 2, 4, 5, 6, 7]
    assert "4 of 8 passages" in report.warnings[0]


def test_noop_keeps_order_and_scores():
    placed, _ = rerank_candidates("q", candidates(), create("noop"), RerankSettings("noop"))
    assert [(one.position, one.score) for one in placed] == [(0, 1.0), (1, 0.5), (2, pytest.approx(1 / 3))]
    unsorted = [Candidate("a", "x", score=0.2, rank=1), Candidate("b", "y", score=0.9, rank=2)]
    placed, _ = rerank_candidates("q", unsorted, create("noop"), RerankSettings("noop"))
    assert [one.position for one in placed] == [0, 1]


def test_keyword_lifts_the_file_that_changed_last(tmp_path):
    def hit(name, modified):
        path = tmp_path / name
        path.write_text("rotate the keys")
        os.utime(path, (modified, modified))
        return replace(HIT, id=name, path=str(path), char_end=15, text="rotate the keys")

    hits = [hit("old.md", 1_000_000_000), hit("new.md", time.time())]
    result = rerank_hits("rotate keys", hits, create("keyword"), RerankSettings("keyword"))
    assert [hit.rerank_score for hit in result.hits] == [pytest.approx(2.5, abs=0.01), 2.0]
    assert result.hits[0].id == "new.md"
