"""The envelope around every result, and errors."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.errors import CorpusBusyError, CorpusNotFoundError
from tamis.render import Envelope, encode, error_data, wrap
from tamis.types import Fingerprint, ModelUse
from tests.render.samples import HEALTH, INDEXED, REFRESHED, found, hit

BEHIND_OLLAMA = ModelUse("embed", "nomic@1", "ollama")
ALWAYS = {
    "result", "tier_used", "model", "tokens_in", "tokens_out", "elapsed_ms", "backend", "warnings", "run_id",
}  # fmt: skip


def test_an_envelope_has_the_seeds_fields_and_no_more_than_applies() -> None:
    data = wrap(found(hit()), 12.4).data()
    assert set(data) == ALWAYS
    assert (data["elapsed_ms"], data["tokens_in"], data["tokens_out"], data["backend"]) == (12, 0, 0, "local")


def test_every_call_has_a_name_of_its_own() -> None:
    names = {wrap([], 0).run_id for _ in range(100)}
    assert len(names) == 100


def test_warnings_and_degradation_move_from_the_result_to_the_envelope() -> None:
    data = wrap(
        found(hit(), degraded=True, degrade_reason="no embedder", warnings=("by words only",)), 1
    ).data()
    assert data["warnings"] == ["by words only"]
    assert (data["degraded"], data["degrade_reason"]) == (True, "no embedder")
    assert not data["result"].keys() & {"warnings", "degraded", "degrade_reason"}


def test_health_warnings_are_in_both_because_they_are_what_was_asked_for() -> None:
    data = wrap(HEALTH, 1).data()
    assert data["warnings"] == data["result"]["warnings"] == ["1 paths could not be indexed"]


def test_what_it_cost_is_said_where_it_can_cost() -> None:
    assert "cost_cents" not in Envelope({}, 1).data()
    assert Envelope({}, 1, cost_cents=0.0).data()["cost_cents"] == 0.0


@pytest.mark.parametrize(
    ("value", "model"),
    [
        (found(hit(), model_use=BEHIND_OLLAMA), "nomic@1"),
        (found(hit()), None),
        (replace(INDEXED, model_use=BEHIND_OLLAMA), "nomic@1"),
        (INDEXED, None),
        (replace(REFRESHED, model_use=BEHIND_OLLAMA), "nomic@1"),
        (REFRESHED, None),
    ],
)
def test_the_model_and_who_ran_it_are_named_when_one_took_part(value: object, model: str | None) -> None:
    data = wrap(value, 1).data()
    assert data["model"] == model
    assert data["tier_used"] == (None if model is None else "embed")
    assert data["backend"] == ("local" if model is None else "ollama")
    assert "model_use" not in data["result"]


@pytest.mark.parametrize(
    ("key", "pooling", "backend"),
    [
        ("ollama", "server", "ollama"),
        ("openai", "server", "openai"),
        ("bundled", "mean", "local"),
        ("onnx:/models/x", "cls", "local"),
    ],
)
def test_an_embedder_ran_behind_a_server_or_in_this_process(key: str, pooling: str, backend: str) -> None:
    use = Fingerprint(key, "nomic", "0123456789abcdef", 64, pooling).use
    assert use == ModelUse("embed", "nomic@0123456789ab", backend)


def test_an_error_says_what_is_wrong_what_to_do_and_whether_to_try_again() -> None:
    assert error_data(CorpusNotFoundError("there is no corpus 'x'", hint="corpora: y")) == {
        "error": True,
        "code": "CORPUS_NOT_FOUND",
        "message": "there is no corpus 'x'",
        "hint": "corpora: y",
        "retryable": False,
    }
    assert error_data(CorpusBusyError("busy"))["retryable"] is True


def test_the_text_of_an_unforeseen_error_stays_inside() -> None:
    data = error_data(ValueError("password=hunter2"))
    assert data["code"] == "INTERNAL"
    assert "hunter2" not in json.dumps(data)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_json_says_any_text_and_steers_no_terminal(text: str) -> None:
    encoded = encode({"text": text}).decode()
    assert json.loads(encoded) == {"text": text}
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", encoded)


def test_json_for_a_reader_has_one_field_a_line() -> None:
    assert encode({"a": 1, "b": [2]}, indent=True).decode() == '{\n  "a": 1,\n  "b": [\n    2\n  ]\n}'
