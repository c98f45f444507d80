"""What a dry run says."""

from __future__ import annotations

import pytest

from tamis.errors import ConfigError
from tamis.rerank import RerankSettings, create, plan_rerank


def test_the_plan_says_what_would_be_reranked_and_what_it_may_cost():
    plan = plan_rerank(create("cohere"), RerankSettings("cohere", input_top_n=150), 400)
    assert (plan.candidates, plan.output_top_n, plan.calls, plan.needs_network) == (150, 20, 1, True)
    assert plan.estimated_cents == pytest.approx(0.4)


def test_the_plan_counts_the_calls_that_a_drivers_maximum_makes_necessary():
    settings = RerankSettings("voyage", input_top_n=2500, output_top_n=2500)
    assert plan_rerank(create("voyage"), settings, 2400).calls == 3


def test_the_plan_of_nothing_costs_nothing():
    assert plan_rerank(create("cohere"), RerankSettings("cohere"), 0).estimated_cents == 0
    assert plan_rerank(create("cohere"), RerankSettings("cohere", output_top_n=0), 50).candidates == 0


def test_the_plan_refuses_a_configuration_that_the_run_would_refuse():
    with pytest.raises(ConfigError):
        plan_rerank(create("cohere"), RerankSettings("cohere", config={"modle": "x"}), 5)


@pytest.mark.parametrize(
    ("key", "config"),
    [("mmr", {"lambda": "7"}), ("noop", {"foo": "7"}), ("recency", {"foo": "7"}), ("keyword", {"foo": "7"}), ("http", {}),
     ("cross_encoder", {"foo": "7"}), ("lexical_boost", {"foo": "7"}), ("path_specificity", {"foo": "7"})],
)  # fmt: skip
def test_the_plan_refuses_what_any_driver_would_refuse(key, config):
    with pytest.raises(ConfigError):
        plan_rerank(create(key), RerankSettings(key, config=config), 5, "how do keys rotate?")


def test_the_plan_shows_the_blend_for_this_query():
    settings = RerankSettings("cross_encoder")
    claim = "Rotating signing keys every ninety days reduces the risk of forged tokens."
    shares = [plan_rerank(create("cross_encoder"), settings, 5, query).blend for query in ("how?", claim)]
    assert shares[0] == create("cross_encoder").blend < shares[1]


def test_the_plan_does_not_guess_a_price_that_is_not_known():
    settings = RerankSettings("cohere", config={"model": "brand-new"})
    assert plan_rerank(create("cohere"), settings, 5).estimated_cents is None
