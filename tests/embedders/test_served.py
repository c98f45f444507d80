"""What goes wrong with embedding servers, and what is done: each fault from a real server, over both protocols."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.embedders.model_server import ACQUAINTED, CONTEXT_CHARS, DIMENSIONS, POISON, ModelServer

from tamis import embedders
from tamis.embedders.ollama_server import OllamaServer
from tamis.embedders.openai_server import OpenAIServer
from tamis.embedders.served import ServedEmbedder, ServedOptions
from tamis.errors import (
    BackendError,
    BackendTimeoutError,
    ConfigError,
    EmbedCountError,
    EmbedDimensionError,
    EmbedDriftError,
    EmbedError,
    ModelMissingError,
    UnreachableError,
)
from tamis.testing import HashEmbedder, check_embedder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Make = Callable[..., ServedEmbedder]

TEXTS = [f"passage number {number} about sieve {number * number}" for number in range(50)]
PROTOCOLS = ("ollama", "openai")


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "OLLAMA_HOST",
        "OLLAMA_API_KEY",
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
        "HTTP_PROXY",
        "http_proxy",
    ):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    running = ModelServer()
    yield running
    running.close()


@pytest.fixture
def waits() -> list[float]:
    """The waits that were asked for, in seconds."""
    return []


@pytest.fixture(params=PROTOCOLS)
def make(request: pytest.FixtureRequest, server: ModelServer, waits: list[float]) -> Make:
    """Makes the embedder for a model of the server; it never really waits between attempts."""

    def embedder(model: str, **options: object) -> ServedEmbedder:
        if request.param == "ollama":
            chosen = ServedOptions(url=server.url, **options)
            return ServedEmbedder("ollama", OllamaServer(model, chosen), chosen, sleep=waits.append)
        chosen = ServedOptions(url=f"{server.url}/v1", **options)
        return ServedEmbedder("openai", OpenAIServer(model, chosen), chosen, sleep=waits.append)

    return embedder


def expected(texts: list[str]) -> np.ndarray:
    return HashEmbedder(DIMENSIONS, "good").embed_passages(texts).vectors


def with_poison(*places: int) -> list[str]:
    return [f"{text} {POISON}" if at in places else text for at, text in enumerate(TEXTS)]


def test_it_keeps_the_laws_of_embedders(make: Make) -> None:
    check_embedder(make("good"), tolerance=1e-6)


def test_batches_run_at_the_same_time_and_come_back_in_order(make: Make, server: ModelServer) -> None:
    embedded = make("good", batch=8, concurrency=4).embed_passages(TEXTS)
    assert np.allclose(embedded.vectors, expected(TEXTS), atol=1e-6)
    # 7 batches of up to 8 with a known text at both ends, after two requests to get acquainted.
    assert [len(request["texts"]) for request in server.requests[:ACQUAINTED]] == [1, 1]
    assert sorted(len(request["texts"]) for request in server.requests[ACQUAINTED:]) == [4, *[10] * 6]


@pytest.mark.parametrize(
    "model", ["poison-500", "poison-null", "poison-zero", "poison-short", "poison-empty"]
)
def test_a_text_that_the_model_cannot_take_is_set_aside_alone(make: Make, model: str) -> None:
    texts = with_poison(7, 30)
    embedded = make(model).embed_passages(texts)
    assert sorted(embedded.failures) == [7, 30]
    good = [at for at in range(len(texts)) if at not in (7, 30)]
    assert np.allclose(embedded.vectors[good], expected(texts)[good], atol=1e-6)


def test_a_query_that_the_model_cannot_take_is_an_error(make: Make) -> None:
    with pytest.raises(EmbedError, match="the query has no vector"):
        make("poison-zero").embed_query(POISON)


def test_a_model_that_fails_for_every_text_is_not_blamed_on_the_texts(make: Make) -> None:
    with pytest.raises(BackendError, match="NaN"):
        make("nan").embed_passages(TEXTS)


def test_fewer_vectors_than_texts_whatever_is_asked_is_the_servers_fault(make: Make) -> None:
    with pytest.raises(EmbedCountError, match="vectors came back"):
        make("short").embed_passages(TEXTS)


def test_a_change_of_dimensions_between_batches_is_an_error(make: Make) -> None:
    with pytest.raises(EmbedDimensionError, match="64 dimensions and sends 63"):
        make("width", concurrency=1).embed_passages(TEXTS)


def test_a_text_longer_than_the_context_is_cut_before_it_is_sent(make: Make, server: ModelServer) -> None:
    long = "The river carries the boats past the mill. " * 100
    embedded = make("good", context=200).embed_passages([long])
    assert max(len(text) for request in server.requests for text in request["texts"]) <= 600
    assert not embedded.failures
    assert not embedded.truncated
    assert embedded.vectors[0] @ expected([long])[0] > 0.99


def test_a_text_that_the_server_finds_too_long_is_halved_until_it_fits_and_marked(make: Make) -> None:
    long = "The river carries the boats past the mill. " * 100
    assert len(long) > 2 * CONTEXT_CHARS
    embedded = make("context", context=100_000).embed_passages([TEXTS[0], long, TEXTS[1]])
    assert not embedded.failures
    assert embedded.truncated == (1,)
    assert embedded.vectors[1] @ expected([long])[0] > 0.99
    assert np.allclose(embedded.vectors[[0, 2]], expected(TEXTS[:2]), atol=1e-6)


def test_a_busy_server_is_waited_for_as_long_as_it_asks(make: Make, waits: list[float]) -> None:
    embedded = make("busy").embed_passages(TEXTS[:3])
    assert waits == [7.0, 7.0]
    assert np.allclose(embedded.vectors, expected(TEXTS[:3]), atol=1e-6)


def test_a_server_that_stays_busy_is_given_up(make: Make, waits: list[float]) -> None:
    with pytest.raises(BackendError, match="503") as caught:
        make("ever-busy").embed_query("anything")
    assert caught.value.retryable
    assert len(waits) == 4


def test_a_failure_that_passes_costs_no_text(make: Make) -> None:
    embedded = make("flaky", concurrency=1).embed_passages(TEXTS)
    assert not embedded.failures
    assert np.allclose(embedded.vectors, expected(TEXTS), atol=1e-6)


def test_a_query_does_not_wait_longer_than_it_may_take(make: Make, waits: list[float]) -> None:
    embedder = make("busy", query_timeout=10)
    with pytest.raises(BackendError, match="503"):
        embedder.embed_query("anything")
    assert waits == [7.0], "7 more would be over 10"


def test_a_server_that_fails_when_asked_for_the_model_is_an_error_of_ours(server: ModelServer) -> None:
    options = ServedOptions(url=server.url)
    embedder = ServedEmbedder("ollama", OllamaServer("locked", options), options, sleep=lambda _: None)
    with pytest.raises(BackendError, match="500"):
        _ = embedder.fingerprint


def test_a_late_answer_is_a_time_out(make: Make, server: ModelServer) -> None:
    with pytest.raises(BackendTimeoutError, match="in time"):
        make("slow", query_timeout=0.05).embed_query("anything")
    with pytest.raises(BackendTimeoutError, match="in time"):
        make("slow-later", timeout=0.05).embed_passages(TEXTS)


@pytest.mark.parametrize("model", ["reversed", "by-length"])
def test_a_batch_in_another_order_is_noticed_and_its_texts_go_one_by_one(make: Make, model: str) -> None:
    texts = [text + " more" * (at % 7) for at, text in enumerate(TEXTS)]
    embedded = make(model, concurrency=1).embed_passages(texts)
    assert not embedded.failures
    assert np.allclose(embedded.vectors, expected(texts), atol=1e-6)


def test_a_model_that_changes_from_one_request_to_the_next_is_of_no_use(make: Make) -> None:
    with pytest.raises(EmbedDriftError, match="64 dimensions, then width-at-once with 63"):
        make("width-at-once").embed_query("anything")


def test_a_model_without_any_vector_is_of_no_use(make: Make) -> None:
    with pytest.raises(EmbedError, match="no vector came back"):
        make("empty").embed_query("anything")


def test_another_model_behind_the_name_in_mid_run_is_drift(make: Make, server: ModelServer) -> None:
    for model in ("renamed", "exchanged"):
        server.version = 1
        embedder = make(model)
        before = embedder.fingerprint
        embedder.embed_passages(TEXTS)
        server.version = 2
        with pytest.raises(EmbedDriftError):
            embedder.embed_passages(TEXTS)
        # It is known for what it is from now on.
        embedder.embed_passages(TEXTS)
        if model == "renamed":
            assert (before.model, embedder.fingerprint.model) == ("renamed:v1", "renamed:v2")


def test_a_page_in_place_of_json_is_named(make: Make) -> None:
    with pytest.raises(BackendError, match="did not answer with") as caught:
        make("html").embed_query("anything")
    assert "proxy" in caught.value.hint


def test_a_cut_body_and_a_dropped_connection_are_unreachable(make: Make, server: ModelServer) -> None:
    with pytest.raises(UnreachableError):
        make("cut").embed_query("anything")
    embedder = make("good")
    embedder.embed_query("anything")
    server.down_after = 0
    with pytest.raises(UnreachableError):
        embedder.embed_passages(TEXTS)


def test_a_server_that_breaks_off_is_not_told_to_start(make: Make) -> None:
    with pytest.raises(UnreachableError, match="broke off") as caught:
        make("cut").embed_query("anything")
    assert "serve" not in caught.value.hint
    assert "is the server running" not in caught.value.hint


def test_the_key_goes_with_every_request(
    make: Make, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "sesame-0123456789")
    monkeypatch.setenv("OLLAMA_API_KEY", "another-0123456789")
    make("good", key_env="MY_KEY").embed_query("anything")
    assert set(server.keys) == {"Bearer sesame-0123456789"}


def test_a_key_that_is_not_set_is_named(make: Make, server: ModelServer) -> None:
    with pytest.raises(BackendError, match="MY_KEY is not set") as caught:
        make("good", key_env="MY_KEY").embed_query("anything")
    assert not caught.value.retryable
    assert server.keys == []


def test_a_server_on_this_machine_is_not_asked_through_a_proxy(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert make("good").embed_query("anything").any()


def test_a_server_that_is_not_there_says_how_to_start_it(make: Make, server: ModelServer) -> None:
    embedder = make("good")
    server.close()
    with pytest.raises(UnreachableError) as caught:
        embedder.embed_query("anything")
    assert caught.value.hint
    assert "_UNREACHABLE" in caught.value.code


def test_a_model_that_is_missing_says_how_to_get_it(make: Make) -> None:
    with pytest.raises(ModelMissingError, match="absent") as caught:
        make("absent").embed_query("anything")
    assert "ollama pull absent" in caught.value.hint or caught.value.code == "OPENAI_MODEL_MISSING"


def test_a_model_that_was_pulled_again_has_another_fingerprint(server: ModelServer) -> None:
    options = ServedOptions(url=server.url)
    before = ServedEmbedder("ollama", OllamaServer("pulled", options), options).fingerprint
    server.version = 2
    after = ServedEmbedder("ollama", OllamaServer("pulled", options), options).fingerprint
    assert before.model == after.model == "pulled"
    assert before != after


def test_openais_rows_are_placed_by_their_index(server: ModelServer) -> None:
    options = ServedOptions(url=f"{server.url}/v1")
    embedder = ServedEmbedder("openai", OpenAIServer("unsorted", options), options)
    assert np.allclose(embedder.embed_passages(TEXTS[:5]).vectors, expected(TEXTS[:5]), atol=1e-6)


@pytest.mark.parametrize("model", ["without-index", "all-index-0", "reversed-without-index"])
def test_openais_rows_without_an_index_are_taken_in_order_and_the_order_is_checked(
    server: ModelServer, model: str
) -> None:
    options = ServedOptions(url=f"{server.url}/v1")
    embedded = ServedEmbedder("openai", OpenAIServer(model, options), options).embed_passages(TEXTS)
    assert not embedded.failures
    assert np.allclose(embedded.vectors, expected(TEXTS), atol=1e-6)


def test_models_that_want_prefixes_get_them(make: Make, server: ModelServer) -> None:
    embedder = make("nomic-embed-text")
    embedder.embed_passages(["a passage"])
    embedder.embed_query("a query")
    assert [request["texts"] for request in server.requests[ACQUAINTED:]] == [
        ["search_document: a passage"],
        ["search_query: a query"],
    ]
    assert embedder.fingerprint.query_prefix == "search_query: "
    assert make("nomic-embed-text", query_prefix="").fingerprint.query_prefix == ""


def test_a_served_embedder_is_had_by_its_name(
    server: ModelServer, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", server.url)
    assert embedders.get("ollama:good", cache=cache).fingerprint.dimensions == DIMENSIONS
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
    assert embedders.get("openai:good", cache=cache).fingerprint.key == "openai"


@pytest.mark.parametrize("name", ["ollama", "sentence_transformers", "fastembed"])
def test_a_driver_that_needs_a_model_says_so(name: str, cache: Path) -> None:
    with pytest.raises(ConfigError, match="needs a model"):
        embedders.get(name, cache=cache)


def test_an_unknown_option_names_the_nearest(cache: Path) -> None:
    with pytest.raises(ConfigError, match="tiemout") as caught:
        embedders.get("ollama:good", cache=cache, options={"tiemout": 3})
    assert "'timeout'" in caught.value.hint


def test_no_client_is_imported_before_something_is_embedded() -> None:
    program = "import sys, tamis.embedders; print({'ollama', 'openai', 'httpx', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
