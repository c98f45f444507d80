"""One request: when it is tried again, when it is not, and that a key goes nowhere but into its header."""

from __future__ import annotations

import logging
import math
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from tamis.errors import BackendError, ConfigError
from tamis.wire.endpoint import Endpoint, checked_url, endpoint, ollama_url
from tamis.wire.post import MAX_REPLY_BYTES, RefusedError, post_json
from tamis.wire.secrets import scrub

KEY = "sk-0123456789abcdef"


class Time:
    """A clock that only sleeping moves."""

    def __init__(self):
        self.now = 100.0
        self.slept = []

    def clock(self):
        return self.now

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def time():
    return Time()


@pytest.fixture
def post(server, time):
    def post(*, deadline=math.inf, attempts=4):
        where = Endpoint("cohere", server.url + "/v2/rerank?version=1", KEY)
        body = {"query": "q", "documents": ["a"]}
        return post_json(
            where, body, deadline=deadline, attempts=attempts, sleep=time.sleep, clock=time.clock
        )

    return post


def test_the_body_and_the_key_arrive(post, server):
    post()
    (request,) = server.requests
    assert request.body == {"query": "q", "documents": ["a"]}
    assert request.headers["Authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_a_busy_or_broken_server_is_asked_again(post, server, replies, status, time):
    server.script = [replies({"error": "later"}, status), replies({"error": "later"}, status)]
    assert post()["results"]
    assert len(server.requests) == 3
    assert len(time.slept) == 2
    assert all(0.25 <= seconds <= 4.25 for seconds in time.slept)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422, 501])
def test_a_refusal_is_not_asked_again(post, server, replies, status, time):
    server.script = [replies({"error": "no"}, status)]
    with pytest.raises(RefusedError) as caught:
        post()
    assert caught.value.status == status
    assert str(status) in caught.value.message
    assert not caught.value.retryable
    assert (len(server.requests), time.slept) == (1, [])


def test_it_gives_up_after_as_many_attempts_as_it_may_make(post, server, replies):
    server.script = [replies({}, 500) for _ in range(9)]
    with pytest.raises(RefusedError):
        post(attempts=3)
    assert len(server.requests) == 3


def test_it_waits_as_long_as_the_server_asks(post, server, replies, time):
    server.script = [replies({}, 429, {"Retry-After": "7"}), replies({}, 503, {"Retry-After": "0"})]
    post()
    assert time.slept == [7.0, 0.0]


def test_it_waits_until_the_moment_that_the_server_names(post, server, replies, time):
    then = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    server.script = [replies({}, 429, {"Retry-After": then})]
    post()
    assert 80 < time.slept[0] <= 90


@pytest.mark.parametrize("odd", ["soon", "-5", "nan", ""])
def test_a_wait_that_makes_no_sense_is_not_believed(post, server, replies, time, odd):
    server.script = [replies({}, 429, {"Retry-After": odd})]
    post()
    assert 0 <= time.slept[0] <= 4.25


def test_a_wait_that_would_pass_the_deadline_is_not_begun(post, server, replies, time):
    server.script = [replies({}, 429, {"Retry-After": "60"})]
    with pytest.raises(RefusedError):
        post(deadline=110.0)
    assert (len(server.requests), time.slept) == (1, [])


def test_after_the_deadline_nothing_is_sent(post, server):
    with pytest.raises(BackendError, match="in time"):
        post(deadline=99.0)
    assert server.requests == []


def test_a_server_that_does_not_answer_is_left_at_the_deadline(post, server, replies):
    server.script = [replies({}, hang=True)]
    with pytest.raises(BackendError, match="in time") as caught:
        post(deadline=100.1, attempts=1)
    server.released.set()
    assert "deadline" in caught.value.hint


def test_a_body_that_is_cut_is_asked_for_again(post, server, replies):
    server.script = [replies({"results": [{"index": 0, "relevance_score": 0.5}]}, cut=True)]
    assert post()["results"]
    assert len(server.requests) == 2


def test_a_page_in_place_of_json_is_named_and_not_asked_for_again(post, server, replies):
    server.script = [replies(b"<html><body>Proxy  login\n</body></html>")]
    with pytest.raises(BackendError) as caught:
        post()
    assert "<html><body>Proxy login" in caught.value.message
    assert "proxy" in caught.value.hint
    assert len(server.requests) == 1


def test_json_that_ends_early_is_an_error(post, server, replies):
    server.script = [replies(b'{"results": [{"index": 0, ')]
    with pytest.raises(BackendError, match="did not answer with JSON"):
        post()


def test_a_redirect_is_not_followed(post, server, replies):
    server.script = [replies({}, 307, {"Location": "http://127.0.0.1:9/elsewhere"})]
    with pytest.raises(RefusedError) as caught:
        post()
    assert "moved" in caught.value.hint


def test_a_reply_without_end_is_cut_off(post, server, replies):
    server.script = [replies(b" " * (MAX_REPLY_BYTES + 100_000))]
    with pytest.raises(BackendError, match="sent more than"):
        post()


def test_a_server_that_is_not_there_is_named_without_its_query_string(time):
    where = Endpoint("http", "http://127.0.0.1:9/rerank?secret=1", KEY)
    with pytest.raises(BackendError) as caught:
        post_json(where, {}, attempts=2, sleep=time.sleep, clock=time.clock)
    assert "127.0.0.1:9/rerank" in caught.value.message
    assert "secret=1" not in caught.value.message
    assert len(time.slept) == 1


def test_the_key_is_in_no_error_and_no_log_even_when_the_server_repeats_it(post, server, replies, caplog):
    caplog.set_level(logging.DEBUG)
    server.script = [replies({"error": f"Incorrect API key provided: {KEY}"}, 401)]
    with pytest.raises(RefusedError) as caught:
        post()
    chain, error = [], caught.value
    while error is not None:
        chain.append(f"{error!r} {error.__dict__}")
        error = error.__cause__ or error.__context__
    assert "Incorrect API key provided: ***" in caught.value.message
    assert KEY not in " ".join(chain)
    assert KEY not in caplog.text
    assert KEY not in repr(Endpoint("cohere", "https://x", KEY))


def test_long_and_unprintable_words_of_a_server_are_shortened(post, server, replies):
    server.script = [replies(b"\x1b[31m" + b"x" * 5000, 400)]
    with pytest.raises(RefusedError) as caught:
        post()
    assert "\x1b" not in caught.value.message
    assert len(caught.value.message) < 400


@pytest.mark.parametrize(
    "url", ["", "localhost:8080", "ftp://host/x", "file:///etc/passwd", "http://", "http://[bad"]
)
def test_what_is_no_web_address_is_refused(url):
    with pytest.raises(ConfigError):
        checked_url("http", url)


def test_a_password_in_a_url_is_refused_and_not_repeated():
    with pytest.raises(ConfigError) as caught:
        checked_url("http", "https://user:hunter22@host/rerank")
    assert "hunter22" not in caught.value.message + caught.value.hint


OWN = {"own_url": "https://api.cohere.com/v2/rerank", "own_key_envs": ("COHERE_API_KEY", "CO_API_KEY")}


def test_the_providers_key_goes_to_the_provider_alone(monkeypatch):
    monkeypatch.setenv("CO_API_KEY", KEY)
    assert endpoint("cohere", "https://api.cohere.com/v2/rerank", **OWN).key == KEY
    for url in (
        "https://evil.example/v2/rerank",
        "http://api.cohere.com/v2/rerank",
        "https://api.cohere.com.evil/x",
    ):
        assert endpoint("cohere", url, **OWN).key == ""


def test_a_key_goes_to_another_host_when_its_variable_is_named(monkeypatch):
    monkeypatch.setenv("MY_GATEWAY_KEY", KEY)
    assert endpoint("cohere", "https://gateway.example/r", **OWN, key_env="MY_GATEWAY_KEY").key == KEY


@pytest.mark.parametrize(
    "value", ["first-line-of-it\nsecond-line-of-it", "schlüssel-zum-glück", "tab\there-it-is"]
)
def test_a_key_that_no_header_can_hold_is_refused_and_not_repeated(monkeypatch, value):
    monkeypatch.setenv("MY_GATEWAY_KEY", value)
    with pytest.raises(BackendError) as caught:
        endpoint("cohere", "https://gateway.example/r", **OWN, key_env="MY_GATEWAY_KEY")
    said = caught.value.message + caught.value.hint
    assert "MY_GATEWAY_KEY" in said
    assert not any(part in said for part in value.split())
    assert scrub(f"it was {value!r}") == "it was '***'"


def test_a_path_goes_before_the_query_string_of_a_url():
    assert Endpoint("x", "http://host/v1?version=1").at("/chat").url == "http://host/v1/chat?version=1"


def test_a_key_that_is_not_set_is_asked_for_by_name():
    with pytest.raises(BackendError) as caught:
        endpoint("cohere", "https://api.cohere.com/v2/rerank", **OWN)
    assert "COHERE_API_KEY" in caught.value.hint


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("", "http://127.0.0.1:11434"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:8080", "http://127.0.0.1:8080"),
        ("box", "http://box:11434"),
        ("http://box", "http://box:80"),
        ("https://box/ollama/", "https://box:443/ollama"),
        ("[::1]:9999", "http://[::1]:9999"),
    ],
)
def test_ollamas_address_is_read_as_ollama_reads_it(monkeypatch, host, url):
    monkeypatch.setenv("OLLAMA_HOST", host)
    assert ollama_url() == url
