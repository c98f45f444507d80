"""The rerank stage: what goes in, what comes out, and that it is never worse without a word."""

from __future__ import annotations

import math
import threading
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.samples import HIT

from tamis.errors import ConfigError, RerankError, RerankInputError
from tamis.rerank import (
    BaseReranker,
    BudgetGuard,
    Charge,
    CostLedger,
    RerankSettings,
    ScoreCache,
    StageContext,
    create,
    rerank_documents,
    rerank_hits,
)
from tamis.types import Relevance, RerankCapabilities


class Scripted(BaseReranker):
    """Gives the scores that it is told to, by text; counts what it is asked."""

    key = "scripted"
    capabilities = RerankCapabilities(cacheable=True)

    def __init__(self, scores=None, *, cents=0.0, fails=None):
        super().__init__()
        self.scores = scores or {}
        self.cents = cents
        self.fails = fails
        self.asked = []

    def estimate_cost_cents(self, count, *, query="", texts=(), config=None):
        return self.cents * count

    def rerank(self, query, candidates, top_n, config):
        self.asked.append([candidate.text for candidate in candidates])
        if self.fails is not None:
            raise self.fails
        self.report_cost(self.cents * len(candidates))
        return [Relevance(one.id, self.scores[one.text]) for one in candidates if one.text in self.scores][
            :top_n
        ]


def hits(*texts, corpus="notes"):
    return [
        replace(
            HIT,
            id=f"c{position}",
            corpus=corpus,
            path=f"/notes/{text}.md",
            score=1.0 / position,
            char_end=len(text),
            text=text,
            rank=position,
            score_breakdown={"fused": 1.0 / position},
        )
        for position, text in enumerate(texts, 1)
    ]


def settings(**more):
    return RerankSettings("scripted", **more)


def texts(result):
    return [hit.text for hit in result.hits]


ABC = {"a": 1.0, "b": 3.0, "c": 2.0}


def test_a_hit_keeps_its_score_and_rank_and_gains_the_rerankers():
    result = rerank_hits("q", hits("a", "b", "c"), Scripted(ABC), settings())
    first = result.hits[0]
    assert texts(result) == ["b", "c", "a"]
    assert (first.score, first.original_rank) == (0.5, 2)
    assert (first.rerank_score, first.rank) == (3.0, 1)
    assert dict(first.score_breakdown) == {"fused": 0.5, "rerank": 3.0}
    assert [hit.rank for hit in result.hits] == [1, 2, 3]
    assert not result.report.degraded


def test_input_top_n_go_in_and_output_top_n_come_out():
    driver = Scripted({str(n): float(n) for n in range(200)})
    result = rerank_hits("q", hits(*(str(n) for n in range(200))), driver, settings())
    assert len(driver.asked[0]) == 100
    assert texts(result) == [str(n) for n in range(99, 79, -1)]
    few = rerank_hits("q", hits("a", "b", "c"), Scripted(ABC), settings(input_top_n=2, output_top_n=1))
    assert texts(few) == ["b"]


def test_nothing_comes_of_nothing_and_the_driver_is_not_asked():
    driver = Scripted(ABC)
    assert rerank_hits("q", [], driver, settings()).hits == ()
    assert rerank_hits("q", hits("a"), driver, settings(output_top_n=0)).hits == ()
    assert rerank_hits("q", hits("a"), driver, settings(input_top_n=0)).hits == ()
    assert driver.asked == []


def test_equal_scores_keep_the_first_stages_order():
    assert texts(rerank_hits("q", hits("a", "b"), Scripted({"a": 1.0, "b": 1.0}), settings())) == ["a", "b"]


def test_more_candidates_than_the_driver_takes_are_split_and_merged_on_score():
    driver = Scripted({str(n): float(n * 7 % 10) for n in range(10)})
    driver.capabilities = RerankCapabilities(max_results=4)
    result = rerank_hits("q", hits(*(str(n) for n in range(10))), driver, settings())
    assert [len(part) for part in driver.asked] == [4, 4, 2]
    assert [hit.rerank_score for hit in result.hits] == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]


def test_hits_of_two_corpora_may_share_an_id():
    both = hits("a", corpus="one") + hits("b", corpus="two")
    assert both[0].id == both[1].id
    assert texts(rerank_hits("q", both, Scripted(ABC), settings())) == ["b", "a"]


def test_passages_that_the_driver_passes_over_follow_in_their_order():
    result = rerank_hits("q", hits("x", "a", "y", "b"), Scripted(ABC), settings())
    assert texts(result) == ["b", "a", "x", "y"]
    assert result.hits[2].rerank_score is None
    assert "rerank" not in result.hits[2].score_breakdown


class Nonsense(BaseReranker):
    key = "nonsense"

    def __init__(self, answer):
        super().__init__()
        self.answer = answer

    def rerank(self, query, candidates, top_n, config):
        return self.answer


@pytest.mark.parametrize(
    "answer",
    [
        [("c1", math.nan)],
        [("c1", math.inf)],
        [("no-such-id", 1.0)],
        [("c1", "high")],
        ["c1"],
        [],
        None,
        [("c1", 1.0), ("c2", None)],
    ],
)
def test_nonsense_leaves_the_first_stages_order_with_a_warning(answer):
    result = rerank_hits("q", hits("a", "b", "c"), Nonsense(answer), settings(output_top_n=2))
    assert texts(result) == ["a", "b"]
    assert result.report.degraded
    assert result.report.degrade_reason
    assert "not reranked" in result.report.warnings[0]
    assert [(hit.rank, hit.original_rank, hit.rerank_score) for hit in result.hits] == [
        (1, 1, None),
        (2, 2, None),
    ]


@pytest.mark.parametrize(
    "error", [RerankError("broken", hint="mend it"), ValueError("odd"), MemoryError(), SystemExit(3)]
)
def test_a_driver_that_raises_leaves_the_first_stages_order_with_a_warning(error):
    result = rerank_hits("q", hits("a", "b"), Scripted(fails=error), settings())
    assert texts(result) == ["a", "b"]
    assert result.report.degraded
    assert "scripted" in (result.report.degrade_reason or "")


@pytest.mark.parametrize("error", [ConfigError("no option x"), RerankInputError("no terms")])
def test_a_configuration_that_makes_no_sense_is_an_error_and_no_fallback(error):
    with pytest.raises(type(error)):
        rerank_hits("q", hits("a"), Scripted(fails=error), settings())


def test_a_driver_that_is_late_leaves_the_first_stages_order_at_the_deadline():
    never = threading.Event()

    class Stuck(Scripted):
        def rerank(self, query, candidates, top_n, config):
            never.wait(30)
            return super().rerank(query, candidates, top_n, config)

    started = time.monotonic()
    result = rerank_hits("q", hits("a", "b"), Stuck(ABC), settings(config={"deadline": 0.05}))
    never.set()
    assert time.monotonic() - started < 10
    assert texts(result) == ["a", "b"]
    assert "0.05 s" in (result.report.degrade_reason or "")


def test_the_driver_is_told_the_deadline():
    driver = Scripted(ABC)
    before = time.monotonic()
    rerank_hits("q", hits("a"), driver, settings(config={"deadline": "30"}))
    # Half a second before it is given up, so that it can answer with what it has.
    assert before + 29.5 <= driver.deadline <= time.monotonic() + 29.5


def test_the_deadline_is_ten_seconds_unless_the_config_says_otherwise():
    assert settings().deadline_s == 10
    assert settings(config={"deadline": 2}).deadline_s == 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"config": {"deadline": 0}},
        {"config": {"deadline": "soon"}},
        {"config": {"blend": 1.5}},
        {"config": {"blend": True}},
        {"input_top_n": -1},
        {"output_top_n": -1},
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong):
    with pytest.raises(ConfigError):
        settings(**wrong)


def test_a_rerank_that_may_cost_more_than_is_left_is_skipped_with_a_warning():
    driver = Scripted(ABC, cents=1.0)
    result = rerank_hits("q", hits("a", "b"), driver, settings(), StageContext(budget=BudgetGuard(1.5)))
    assert driver.asked == []
    assert texts(result) == ["a", "b"]
    assert "over the budget" in (result.report.degrade_reason or "")
    assert "1.5" in (result.report.degrade_reason or "")
    assert result.report.estimated_cents == 2.0


def test_a_rerank_whose_price_is_unknown_fits_no_budget_but_runs_without_one():
    for budget, degraded in ((BudgetGuard(1000), True), (BudgetGuard(), False)):
        driver = Scripted(ABC, cents=math.inf)
        result = rerank_hits("q", hits("a"), driver, settings(), StageContext(budget=budget))
        assert result.report.degraded is degraded


def test_what_was_charged_is_reported_taken_from_the_budget_and_written_down(tmp_path):
    ledger, budget = CostLedger(tmp_path), BudgetGuard(10)
    context = StageContext(budget=budget, ledger=ledger, scope="work")
    result = rerank_hits("q", hits("a", "b"), Scripted(ABC, cents=0.25), settings(), context)
    assert result.report.charged_cents == 0.5
    assert budget.spent_cents == 0.5
    assert [(one.driver, one.scope, one.cents) for one in ledger.sums(["driver", "scope"])] == [
        ("scripted", "work", 0.5)
    ]


def test_a_ledger_that_cannot_be_written_costs_a_warning_and_not_the_search(tmp_path):
    (tmp_path / "costs.db").mkdir()
    context = StageContext(ledger=CostLedger(tmp_path))
    result = rerank_hits("q", hits("a", "b"), Scripted(ABC, cents=1), settings(), context)
    assert texts(result) == ["b", "a"]
    assert "not written down" in " ".join(result.report.warnings)


def cached(tmp_path):
    cache = ScoreCache(tmp_path)
    return StageContext(budget=BudgetGuard(2.0), cache_of=lambda position: cache)


def test_a_cached_score_costs_nothing_and_the_report_says_so(tmp_path):
    first = rerank_hits("q", hits("a", "b"), Scripted(ABC, cents=1), settings(), cached(tmp_path))
    driver = Scripted(ABC, cents=1)
    again = rerank_hits("q", hits("a", "b"), driver, settings(), cached(tmp_path))
    assert (first.report.cached, first.report.charged_cents) == (0, 2.0)
    assert (again.report.cached, again.report.charged_cents, again.report.estimated_cents) == (2, 0.0, 0.0)
    assert driver.asked == []
    assert [replace(hit) for hit in again.hits] == list(first.hits)


def test_a_cache_that_cannot_be_used_costs_a_warning_and_not_the_search(tmp_path):
    cache = ScoreCache(tmp_path / "no" / "such" / "folder")
    context = StageContext(cache_of=lambda position: cache)
    result = rerank_hits("q", hits("a", "b"), Scripted(ABC), settings(), context)
    assert texts(result) == ["b", "a"]
    assert [warning for warning in result.report.warnings if "score cache" in warning]


def test_only_what_is_not_cached_is_asked_for_and_paid(tmp_path):
    rerank_hits("q", hits("a", "b"), Scripted(ABC, cents=1), settings(), cached(tmp_path))
    driver = Scripted(ABC, cents=1)
    result = rerank_hits("q", hits("a", "b", "c"), driver, settings(), cached(tmp_path))
    assert driver.asked == [["c"]]
    assert texts(result) == ["b", "c", "a"]
    assert (result.report.cached, result.report.charged_cents) == (2, 1.0)


def test_a_new_version_of_the_driver_asks_again(tmp_path):
    rerank_hits("q", hits("a"), Scripted(ABC), settings(), cached(tmp_path))
    newer = Scripted({"a": 9.0})
    newer.version = "2"
    assert rerank_hits("q", hits("a"), newer, settings(), cached(tmp_path)).hits[0].rerank_score == 9.0


def test_each_corpus_keeps_its_own_scores(tmp_path):
    caches = [ScoreCache(tmp_path / name) for name in ("one", "two")]
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    context = StageContext(cache_of=lambda position: caches[position])
    rerank_hits("q", hits("a", corpus="one") + hits("b", corpus="two"), Scripted(ABC), settings(), context)
    assert [len(cache) for cache in caches] == [1, 1]


def test_a_driver_whose_scores_depend_on_more_than_the_text_is_not_cached(tmp_path):
    cache = ScoreCache(tmp_path)
    context = StageContext(cache_of=lambda position: cache)
    rerank_hits("q", hits("a"), create("path_specificity"), RerankSettings("path_specificity"), context)
    assert len(cache) == 0


def test_a_late_answer_is_still_kept_and_still_counted(tmp_path):
    go = threading.Event()
    done = threading.Event()
    cache, budget = ScoreCache(tmp_path), BudgetGuard(5)

    class Slow(Scripted):
        def rerank(self, query, candidates, top_n, config):
            go.wait(30)
            return super().rerank(query, candidates, top_n, config)

    class Watched(ScoreCache):
        def put(self, scorer, scores):
            super().put(scorer, scores)
            done.set()

    watched = Watched(tmp_path)
    context = StageContext(budget=budget, cache_of=lambda position: watched)
    result = rerank_hits("q", hits("a"), Slow(ABC, cents=1), settings(config={"deadline": 0.02}), context)
    assert result.report.degraded
    go.set()
    assert done.wait(30)
    assert len(cache) == 1
    assert budget.spent_cents == 1.0


def test_a_secret_of_the_environment_appears_in_no_warning(monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "sk-very-secret-value")
    failing = Scripted(fails=ValueError("refused: sk-very-secret-value"))
    report = rerank_hits("q", hits("a"), failing, settings()).report
    assert "sk-very-secret-value" not in repr(report)
    assert "***" in repr(report)


def test_vectors_are_fetched_for_a_driver_that_needs_them_and_for_no_other():
    import numpy as np

    asked = []

    def vectors(entered):
        asked.append(len(entered))
        return {
            0: np.array([1, 0], np.float32),
            1: np.array([1, 0], np.float32),
            2: np.array([0, 1], np.float32),
        }

    rerank_hits("q", hits("a", "b", "c"), Scripted(ABC), settings(), vectors=vectors)
    assert asked == []
    config = {"lambda": 0.5}
    result = rerank_hits(
        "q", hits("a", "b", "c"), create("mmr"), RerankSettings("mmr", config=config), vectors=vectors
    )
    assert asked == [3]
    assert texts(result) == ["a", "c", "b"]  # b says what a said


def test_plain_documents_are_reranked_by_any_driver():
    memories = [{"content": "one", "id": 7}, {"content": "two keys", "title": "Keys", "own": [1]}]
    result = rerank_documents("keys", memories, create("keyword"), RerankSettings("keyword", output_top_n=1))
    assert result.documents == (
        {
            "content": "two keys",
            "title": "Keys",
            "own": [1],
            "original_rank": 2,
            "rerank_score": 13.0,
            "rank": 1,
        },
    )


@given(st.permutations(range(8)), st.floats(0, 1))
def test_whatever_the_blend_the_output_is_a_part_of_the_input_in_falling_order(order, blend):
    names = [str(n) for n in range(8)]
    driver = Scripted({name: float(place) for name, place in zip(names, order, strict=True)})
    result = rerank_hits("q", hits(*names), driver, settings(config={"blend": blend}))
    scores = [hit.rerank_score or 0.0 for hit in result.hits]
    assert scores == sorted(scores, reverse=True)
    assert sorted(texts(result)) == names


def test_a_charge_without_a_time_is_dated_now(tmp_path):
    ledger = CostLedger(tmp_path)
    ledger.record(Charge("cohere", "m", 1.0))
    assert ledger.sums(["day"])[0].day is not None
