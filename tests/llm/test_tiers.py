"""Calls by tier: the right model, in time, counted, and a smaller one when it is late."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import TYPE_CHECKING

import pytest

from tamis.errors import BackendError, ConfigError, ModelMissingError, TierTimeoutError, UnreachableError
from tamis.llm import Tier, Tiers
from tamis.llm.listing import listed
from tamis.llm.tiers import residency

if TYPE_CHECKING:
    from tests.llm.chat_server import ChatServer

ASK = [{"role": "user", "content": "say something"}]


@pytest.fixture(autouse=True, scope="module")
def loaded() -> None:
    """What is loaded once is not a tier's time."""
    for library in ("httpx", "tenacity", "ollama"):
        import_module(library)


def tiers(server: ChatServer, *names: str, backend: str = "ollama", timeout: float = 5.0) -> Tiers:
    url = server.url if backend == "ollama" else f"{server.url}/v1"
    return Tiers({name: Tier(name, backend, f"{name}-model", url, timeout=timeout) for name in names})


@pytest.mark.parametrize("backend", ["ollama", "openai"])
def test_a_reply_says_who_made_it_and_what_the_server_counted(server: ChatServer, backend: str) -> None:
    models = tiers(server, "instant", backend=backend)
    reply = models.complete(models.chain("instant"), ASK, max_tokens=20)
    assert reply.text == "instant-model says so."
    use = reply.use
    assert (use.tier_used, use.model, use.backend) == ("instant", "instant-model", backend)
    assert (use.tokens_in, use.tokens_out) == (100, 10)
    assert (use.fallback_from, use.model_requested) == (None, None)


def test_a_late_tier_hands_over_to_the_next_smaller_one(server: ChatServer) -> None:
    server.slow = {"deep-model", "workhorse-model"}
    models = tiers(server, "instant", "workhorse", "deep", timeout=0.1)
    use = models.complete(models.chain("deep"), ASK, max_tokens=20).use
    assert (use.tier_used, use.model) == ("instant", "instant-model")
    assert (use.fallback_from, use.model_requested) == ("deep", "deep-model")
    assert [body["model"] for body in server.asked] == ["deep-model", "workhorse-model", "instant-model"]


def test_when_all_are_late_the_error_names_them(server: ChatServer) -> None:
    server.slow = {"deep-model", "instant-model"}
    models = tiers(server, "instant", "deep", timeout=0.05)
    with pytest.raises(TierTimeoutError, match=r"deep \(deep-model\), instant \(instant-model\)") as caught:
        models.complete(models.chain("deep"), ASK, max_tokens=20)
    assert (caught.value.code, caught.value.retryable) == ("TIER_TIMEOUT", True)


def test_a_deadline_bounds_every_call(server: ChatServer) -> None:
    server.slow = {"instant-model"}
    models = tiers(server, "instant", timeout=60)
    start = time.monotonic()
    with pytest.raises(TierTimeoutError):
        models.complete(models.chain("instant"), ASK, max_tokens=20, deadline=start + 0.1)
    assert time.monotonic() - start < 3


def test_a_tier_that_is_not_configured_is_the_next_smaller_one_or_the_nearest(server: ChatServer) -> None:
    models = tiers(server, "instant", "deep")
    assert [tier.name for tier in models.chain("workhorse")] == ["instant"]
    assert [tier.name for tier in tiers(server, "deep").chain("instant")] == ["deep"]


def test_a_named_model_is_that_model_or_none(server: ChatServer) -> None:
    chain = tiers(server, "instant", "deep").chain("deep", model="special")
    assert [(tier.name, tier.model) for tier in chain] == [("deep", "special")]


def test_local_and_cloud_are_told_apart() -> None:
    models = Tiers(
        {"deep": Tier("deep", "openai", "gpt-4o"), "instant": Tier("instant", "ollama", "llama3.2")}
    )
    assert [tier.name for tier in models.chain("deep", local=True)] == ["instant"]
    assert [tier.name for tier in models.chain("instant", local=False)] == ["deep"]
    with pytest.raises(ConfigError, match="in the cloud"):
        Tiers({"instant": Tier("instant", "ollama", "llama3.2")}).chain("deep", local=False)


@pytest.mark.parametrize("backend", ["ollama", "openai"])
def test_a_server_is_local_by_its_host_whatever_it_speaks(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Tier("deep", backend, "m", "http://127.0.0.1:8080/v1").local
    assert not Tier("deep", backend, "m", "http://203.0.113.7:11434").local
    models = Tiers({"deep": Tier("deep", backend, "m", "http://203.0.113.7:11434")})
    with pytest.raises(ConfigError, match="on this machine"):
        models.chain("deep", local=True)
    monkeypatch.setenv("OLLAMA_HOST", "203.0.113.7")
    assert not Tier("deep", "ollama", "m").local


@pytest.mark.parametrize("model", ["gpt-oss:120b-cloud", "glm-4.6:cloud"])
def test_a_model_of_ollamas_cloud_is_not_local(model: str) -> None:
    models = Tiers({"deep": Tier("deep", "ollama", model), "instant": Tier("instant", "ollama", "llama3.2")})
    assert [tier.name for tier in models.chain("deep", local=True)] == ["instant"]
    with pytest.raises(ConfigError, match=f"{model} does not run on this machine"):
        models.chain("deep", local=True, model=model)
    assert [tier.model for tier in models.chain("instant", local=False, model=model)] == [model]


def test_a_server_on_this_machine_is_not_asked_through_a_proxy(
    server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    models = tiers(server, "instant")
    assert models.complete(models.chain("instant"), ASK, max_tokens=5).text


@pytest.mark.parametrize(
    ("backend", "code", "hint"),
    [
        ("ollama", "OLLAMA_UNREACHABLE", "start it with: ollama serve"),
        ("openai", "BACKEND_UNREACHABLE", "is the server running"),
    ],
)
def test_a_server_that_is_not_there_says_how_to_start_it(
    server: ChatServer, backend: str, code: str, hint: str
) -> None:
    server.close()
    models = tiers(server, "instant", backend=backend, timeout=1.0)
    with pytest.raises(UnreachableError) as caught:
        models.complete(models.chain("instant"), ASK, max_tokens=5)
    assert caught.value.code == code
    assert hint in caught.value.hint
    with pytest.raises(UnreachableError) as caught:
        listed(models.chain("instant")[0])
    assert caught.value.code == code


@pytest.mark.parametrize("backend", ["ollama", "openai"])
def test_a_server_that_breaks_off_is_not_told_to_start(server: ChatServer, backend: str) -> None:
    server.cut = True
    models = tiers(server, "instant", backend=backend, timeout=1.0)
    with pytest.raises(UnreachableError, match="broke off") as caught:
        models.complete(models.chain("instant"), ASK, max_tokens=5)
    assert "serve" not in caught.value.hint
    assert "log" in caught.value.hint


def test_without_any_tier_the_error_shows_how_to_name_one() -> None:
    with pytest.raises(ConfigError) as caught:
        Tiers({}).chain("instant")
    assert "[tiers." in caught.value.hint


def test_a_missing_model_says_how_to_get_it(server: ChatServer) -> None:
    server.absent = {"instant-model"}
    for backend, hint in (("ollama", "ollama pull instant-model"), ("openai", "[tiers.instant]")):
        models = tiers(server, "instant", backend=backend)
        with pytest.raises(ModelMissingError) as caught:
            models.complete(models.chain("instant"), ASK, max_tokens=20)
        assert hint in caught.value.hint


def test_a_key_that_is_not_set_is_named() -> None:
    models = Tiers({"deep": Tier("deep", "openai", "gpt-4o")})
    with pytest.raises(BackendError) as caught:
        models.complete(models.chain("deep"), ASK, max_tokens=20)
    assert "OPENAI_API_KEY" in caught.value.hint


def test_no_more_calls_run_at_once_than_allowed(server: ChatServer) -> None:
    models = Tiers({"instant": Tier("instant", "ollama", "m", server.url)}, concurrency=2)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: models.complete(models.chain("instant"), ASK, max_tokens=5), range(16)))
    assert server.most_at_once <= 2
    assert len(server.asked) == 16


def test_ollama_is_asked_for_the_configured_context(server: ChatServer) -> None:
    models = Tiers({"instant": Tier("instant", "ollama", "m", server.url, num_ctx=2048)})
    models.complete(models.chain("instant"), ASK, max_tokens=5)
    assert server.asked[0]["options"]["num_ctx"] == 2048


@pytest.mark.parametrize(("there", "place"), [(0, "cpu"), (50, "gpu+cpu"), (100, "gpu")])
def test_residency_is_what_ollama_tells(server: ChatServer, there: int, place: str) -> None:
    server.loaded = [{"name": "m:latest", "size": 100, "size_vram": there}]
    assert residency(Tier("instant", "ollama", "m", server.url)) == place
    assert residency(Tier("instant", "ollama", "other", server.url)) is None
    assert residency(Tier("instant", "openai", "m", f"{server.url}/v1")) is None


def test_residency_of_a_server_that_is_gone_is_unknown(server: ChatServer) -> None:
    server.close()
    tier = Tier("instant", "ollama", "m", server.url)
    assert residency(tier) is None
    with pytest.raises(UnreachableError):
        Tiers({"instant": Tier("instant", "ollama", "m", server.url, timeout=1.0)}).complete(
            [tier], ASK, max_tokens=5, deadline=time.monotonic() + 1.0
        )
