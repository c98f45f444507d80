"""The price table, and what the drivers estimate by it. Expected amounts: DESIGN, "hosted drivers" and "LLM judge"."""

from __future__ import annotations

import math
from datetime import date

import pytest

from tamis.errors import ConfigError
from tamis.rerank import PRICES, create


def test_the_table_says_when_it_was_made():
    assert date.fromisoformat(PRICES.as_of) >= date(2026, 1, 1)


@pytest.mark.parametrize(("count", "cents"), [(0, 0), (1, 0.2), (100, 0.2), (101, 0.4), (1000, 2.0)])
def test_cohere_costs_a_fifth_of_a_cent_for_up_to_100_documents(count, cents):
    assert create("cohere").estimate_cost_cents(count) == pytest.approx(cents)


def test_cohere_bills_a_document_of_more_than_500_tokens_as_several():
    texts = ["word " * 1000] * 60  # 1,250 tokens each, so three each
    assert create("cohere").estimate_cost_cents(60, query="q", texts=texts) == pytest.approx(0.4)


@pytest.mark.parametrize(("model", "dollars_per_million"), [("rerank-2", 0.05), ("rerank-2-lite", 0.02)])
def test_voyage_is_estimated_at_62_tokens_a_document_and_30(model, dollars_per_million):
    cents = create("voyage").estimate_cost_cents(100, config={"model": model})
    assert cents == pytest.approx((62 * 100 + 30) * dollars_per_million * 100 / 1e6)


@pytest.mark.parametrize(
    ("model", "cents_in", "cents_out"),
    [("gpt-4o-mini", 15, 60), ("gpt-4o", 250, 1000), ("gpt-4.1-mini", 40, 160), ("gpt-4.1", 200, 800)],
)
def test_the_judge_is_estimated_at_80_tokens_a_document_in_and_8_out(model, cents_in, cents_out):
    cents = create("llm_judge").estimate_cost_cents(20, config={"model": model})
    assert cents == pytest.approx(((80 * 20 + 50) * cents_in + 8 * 20 * cents_out) / 1e6)


def test_the_judge_uses_gpt_4o_mini_by_default():
    judge = create("llm_judge")
    assert judge.estimate_cost_cents(5) == judge.estimate_cost_cents(5, config={"model": "gpt-4o-mini"})


@pytest.mark.parametrize("key", ["voyage", "jina", "llm_judge"])
def test_long_texts_raise_the_estimate_above_the_rule_of_thumb(key):
    driver = create(key)
    assert driver.estimate_cost_cents(2, query="q", texts=["word " * 300] * 2) > driver.estimate_cost_cents(2)


@pytest.mark.parametrize("key", ["cohere", "voyage", "jina", "llm_judge"])
def test_a_model_without_a_known_price_may_cost_anything(key):
    assert create(key).estimate_cost_cents(1, config={"model": "brand-new"}) == math.inf


def test_a_model_on_a_server_of_ones_own_is_free():
    own = {"url": "http://localhost:8000/v1", "model": "qwen3"}
    assert create("llm_judge").estimate_cost_cents(10, config=own) == 0
    assert create("llm_judge").estimate_cost_cents(10, config={"provider": "ollama", "model": "qwen3"}) == 0
    assert create("http").estimate_cost_cents(10, config={"url": "http://localhost:8000"}) == 0


def test_a_dated_snapshot_costs_what_its_model_costs():
    assert PRICES.of("openai", "gpt-4o-2024-08-06") == PRICES.of("openai", "gpt-4o")


def test_own_prices_go_over_the_table_and_reach_the_drivers():
    table = PRICES.overridden(
        {"cohere/rerank-v3.5": {"cents_per_search": 1.5}, "http/mine": {"cents_per_million_in": 100}}
    )
    assert create("cohere", prices=table).estimate_cost_cents(10) == pytest.approx(1.5)
    assert create("http", prices=table).estimate_cost_cents(
        10, config={"url": "http://localhost", "model": "mine"}
    ) == pytest.approx((62 * 10 + 30) * 100 / 1e6)
    assert create("cohere").estimate_cost_cents(10) == pytest.approx(0.2)


@pytest.mark.parametrize("key", ["cohere", "voyage", "jina", "http", "llm_judge"])
def test_every_field_of_a_price_counts_with_every_driver(key):
    provider = "openai" if key == "llm_judge" else key
    config = {"model": "m", "url": "http://localhost:1"}
    for field in ("cents_per_search", "cents_per_million_in"):
        table = PRICES.overridden({f"{provider}/m": {field: 100}})
        assert create(key, prices=table).estimate_cost_cents(10, config=config) > 0


@pytest.mark.parametrize(
    "own",
    [
        {"cohere/x": {"cents_per_serch": 1}},
        {"cohere/x": {"cents_per_search": -1}},
        {"cohere/x": {"cents_per_search": math.nan}},
        {"cohere/x": {"documents_per_search": 0}},
    ],
)
def test_a_price_that_makes_no_sense_is_refused(own):
    with pytest.raises(ConfigError):
        PRICES.overridden(own)
