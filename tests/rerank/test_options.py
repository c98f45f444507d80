"""A driver's options are known names with checked values."""

from __future__ import annotations

import pytest

from tamis.errors import ConfigError
from tamis.rerank import create
from tamis.rerank.options import Options


def options(**config):
    return Options("driver", config, {"model", "batch", "weight", "terms", "mode"})


def test_text_from_a_command_line_is_read_as_a_number():
    assert options(batch="8").whole("batch", 1) == 8
    assert options(weight="0.25").number("weight", 1.0) == 0.25
    assert options(terms="a, b,,").texts("terms") == ["a", "b"]


def test_what_is_left_out_has_its_default():
    given = options()
    assert (
        given.text("model", "m"),
        given.whole("batch", 3),
        given.number("weight", 0.5),
        given.texts("terms"),
    ) == (
        "m",
        3,
        0.5,
        [],
    )


def test_an_unknown_option_is_refused_and_the_nearest_named():
    with pytest.raises(ConfigError) as caught:
        options(modle="x")
    assert "model" in caught.value.hint


@pytest.mark.parametrize(
    "name", ["api_key", "key", "token", "COHERE_API_KEY", "client_secret", "authorization"]
)
def test_a_secret_in_a_configuration_is_refused_and_not_repeated(name):
    with pytest.raises(ConfigError) as caught:
        create("cohere").rerank("q", [], 1, {name: "sk-12345678"})
    assert "sk-12345678" not in f"{caught.value.message}{caught.value.hint}"
    assert "environment" in caught.value.hint


@pytest.mark.parametrize(
    ("read", "config"),
    [
        (lambda one: one.whole("batch", 1), {"batch": 0}),
        (lambda one: one.whole("batch", 1), {"batch": 1.5}),
        (lambda one: one.whole("batch", 1), {"batch": True}),
        (lambda one: one.whole("batch", 1), {"batch": "many"}),
        (lambda one: one.number("weight", 1, high=1), {"weight": "nan"}),
        (lambda one: one.number("weight", 1, high=1), {"weight": 2}),
        (lambda one: one.text("model", ""), {"model": 3}),
        (lambda one: one.text("model", ""), {"model": " "}),
        (lambda one: one.choice("mode", "a", ("a", "b")), {"mode": "c"}),
        (lambda one: one.texts("terms"), {"terms": [1]}),
        (lambda one: one.texts("terms"), {"terms": 3}),
    ],
)
def test_a_value_that_makes_no_sense_is_refused(read, config):
    with pytest.raises(ConfigError):
        read(options(**config))


@pytest.mark.parametrize(
    "key", ["noop", "recency", "path_specificity", "lexical_boost", "keyword", "mmr", "cross_encoder"]
)
def test_every_local_driver_refuses_an_option_that_it_does_not_have(key):
    with pytest.raises(ConfigError):
        create(key).rerank("q", [], 1, {"no_such_option": 1})


def test_the_stages_own_options_are_passed_over_by_the_drivers():
    assert create("noop").rerank("q", [], 1, {"blend": 0.5, "deadline": 3}) == []
