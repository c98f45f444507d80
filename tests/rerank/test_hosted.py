"""Rerank servers: each documented shape, and what goes wrong with them."""

from __future__ import annotations

import pytest

from tamis.errors import ConfigError
from tamis.rerank import BudgetGuard, RerankSettings, StageContext, create
from tamis.rerank.drivers.http import Http
from tamis.rerank.stage import rerank_candidates

KEY = "sk-0123456789abcdef"
HOSTED = ["cohere", "voyage", "jina"]


@pytest.fixture(autouse=True)
def own_key(monkeypatch):
    monkeypatch.setenv("TEST_RERANK_KEY", KEY)
    Http._working.clear()


def ask(server, key, candidates, path="/v1/rerank", driver=None, **config):
    driver = driver or create(key)
    options = {"url": server.url + path, "key_env": "TEST_RERANK_KEY", **config}
    return driver.rerank("q", candidates, len(candidates), options)


def fixed(server, replies, body, status=200):
    server.answer = lambda request: replies(body, status)


def test_cohere_sends_what_its_api_asks_for_and_reads_the_billed_units(server, replies, candidates):
    fixed(
        server,
        replies,
        {
            "id": "07734bd2",
            "results": [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.1}],
            "meta": {"api_version": {"version": "2"}, "billed_units": {"search_units": 3}},
        },
    )
    driver, charged = create("cohere"), []
    driver.cost_reporter = charged.append
    result = ask(server, "cohere", candidates("x", "y"), "/v2/rerank", driver)
    assert server.requests[0].path == "/v2/rerank"
    assert server.requests[0].body == {
        "model": "rerank-v3.5",
        "query": "q",
        "documents": ["x", "y"],
        "top_n": 2,
    }
    assert [tuple(one) for one in result] == [("b", 0.9), ("a", 0.1)]
    assert charged == [pytest.approx(0.6)]


def test_voyage_sends_top_k_and_reads_data_and_tokens(server, replies, candidates):
    fixed(
        server,
        replies,
        {
            "object": "list",
            "data": [{"relevance_score": 0.43, "index": 0}, {"relevance_score": 0.8, "index": 1}],
            "model": "rerank-2",
            "usage": {"total_tokens": 2_000_000},
        },
    )
    driver, charged = create("voyage"), []
    driver.cost_reporter = charged.append
    result = ask(server, "voyage", candidates("x", "y"), driver=driver)
    assert server.requests[0].body == {
        "model": "rerank-2",
        "query": "q",
        "documents": ["x", "y"],
        "top_k": 2,
        "truncation": True,
    }
    assert [tuple(one) for one in result] == [("b", 0.8), ("a", 0.43)]
    assert charged == [pytest.approx(10.0)]


def test_jina_sends_top_n_and_wants_no_documents_back(server, replies, candidates):
    fixed(
        server,
        replies,
        {
            "model": "m",
            "results": [{"index": 0, "relevance_score": 0.2}],
            "usage": {"total_tokens": 1_000_000},
        },
    )
    driver, charged = create("jina"), []
    driver.cost_reporter = charged.append
    ask(server, "jina", candidates("x"), driver=driver)
    assert server.requests[0].body["return_documents"] is False
    assert server.requests[0].body["top_n"] == 1
    assert charged == [pytest.approx(5.0)]


@pytest.mark.parametrize(
    "body",
    [
        {"results": [{"index": 0, "relevance_score": 1.0}, {"index": 1, "relevance_score": 3.0}]},  # unsorted
        {
            "model": "m",
            "object": "list",
            "results": [{"index": 1, "relevance_score": 3}, {"index": 0, "relevance_score": 1}],
        },
        {"data": [{"index": 1, "score": 3.0}, {"index": 0, "score": 1.0}]},
        [{"index": 1, "score": 3.0}, {"index": 0, "score": 1.0}],
        {
            "results": [
                {"index": 1, "relevance_score": 3.0, "document": {"text": "y"}},
                {"index": 0, "relevance_score": 1.0},
            ]
        },
        {
            "results": [  # a document twice: its best score counts
                {"index": 1, "relevance_score": 0.5},
                {"index": 0, "relevance_score": 1.0},
                {"index": 1, "relevance_score": 3.0},
            ]
        },
    ],
)
def test_every_shape_of_a_reply_is_mapped_by_index_and_sorted(server, replies, candidates, body):
    fixed(server, replies, body)
    assert [tuple(one) for one in ask(server, "http", candidates("x", "y"))] == [("b", 3.0), ("a", 1.0)]


def test_a_server_that_ignores_top_n_is_cut_here(server, candidates):
    result = create("http").rerank("q", candidates("x", "q", "z"), 1, {"url": server.url})
    assert [one.id for one in result] == ["b"]


def test_passages_that_a_server_leaves_out_follow_with_a_warning(server, replies, candidates):
    fixed(server, replies, {"results": [{"index": 2, "relevance_score": 0.4}]})
    settings = RerankSettings("http", config={"url": server.url + "/rerank"})
    placed, report = rerank_candidates("q", candidates("x", "y", "z"), create("http"), settings)
    assert [one.position for one in placed] == [2, 0, 1]
    assert "scored 1 of 3" in report.warnings[0]
    assert not report.degraded


@pytest.mark.parametrize(
    "body",
    [
        {"results": []},
        {"results": None},
        {},
        "ok",
        None,
        {"results": [{"index": 7, "relevance_score": 0.5}]},
        {"results": [{"index": -1, "relevance_score": 0.5}]},
        {"results": [{"index": True, "relevance_score": 0.5}]},
        {"results": [{"index": "0", "relevance_score": 0.5}]},
        {"results": [{"relevance_score": 0.5}]},
        {"results": [{"index": 0}]},
        {"results": [{"index": 0, "relevance_score": None}]},
        {"results": [0.5, 0.4]},
        b'{"results": [{"index": 0, "relevance_score": NaN}]}',
        b"<html>Sign in</html>",
        b'{"results": [{"index": 0,',
        b"",
    ],
)
@pytest.mark.parametrize("key", ["cohere", "http"])
def test_a_reply_that_makes_no_sense_leaves_the_order_with_a_warning(server, replies, candidates, key, body):
    fixed(server, replies, body)
    config = {"url": server.url + "/v1/rerank", "key_env": "TEST_RERANK_KEY"}
    placed, report = rerank_candidates(
        "q", candidates("x", "y"), create(key), RerankSettings(key, config=config)
    )
    assert [one.position for one in placed] == [0, 1]
    assert report.degraded
    assert report.warnings[0].startswith(f"not reranked: {key}")


@pytest.mark.parametrize("key", [*HOSTED, "http"])
def test_a_rate_limit_is_waited_out(server, replies, candidates, key):
    server.script = [replies({"message": "slow down"}, 429, {"Retry-After": "0"})]
    assert len(ask(server, key, candidates("x", "y"))) == 2
    assert len(server.requests) == 2


@pytest.mark.parametrize("key", [*HOSTED, "http"])
@pytest.mark.parametrize("status", [401, 500])
def test_a_server_that_keeps_refusing_leaves_the_order_and_the_key_unsaid(
    server, replies, candidates, key, status, monkeypatch
):
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    fixed(server, replies, {"message": f"invalid api token {KEY}"}, status)
    config = {"url": server.url + "/v1/rerank", "key_env": "TEST_RERANK_KEY", "deadline": 60}
    placed, report = rerank_candidates(
        "q", candidates("x", "y"), create(key), RerankSettings(key, config=config)
    )
    assert [one.position for one in placed] == [0, 1]
    assert str(status) in (report.degrade_reason or "")
    assert KEY not in repr(report)


@pytest.mark.parametrize("key", HOSTED)
def test_without_its_key_a_hosted_driver_says_which_variable_to_set(candidates, key):
    _, report = rerank_candidates("q", candidates("x"), create(key), RerankSettings(key))
    assert f"{key.upper()}_API_KEY" in (report.degrade_reason or "")


def test_the_budget_is_charged_with_what_the_server_billed(server, replies, candidates):
    fixed(
        server,
        replies,
        {"results": [{"index": 0, "relevance_score": 1}], "meta": {"billed_units": {"search_units": 2}}},
    )
    guard = BudgetGuard(1.0)
    config = {"url": server.url, "key_env": "TEST_RERANK_KEY"}
    settings = RerankSettings("cohere", config=config)
    _, report = rerank_candidates(
        "q", candidates("x"), create("cohere"), settings, StageContext(budget=guard)
    )
    assert (report.estimated_cents, report.charged_cents) == (pytest.approx(0.2), pytest.approx(0.4))
    assert guard.remaining_cents == pytest.approx(0.6)


def test_a_model_without_a_known_price_says_that_its_cost_is_not_counted(server, candidates):
    driver = create("cohere")
    ask(server, "cohere", candidates("x"), driver=driver, model="rerank-v9")
    assert "rerank-v9" in driver.warnings[0]


@pytest.mark.parametrize(
    ("served", "given"),
    [
        ("/v1/rerank", ""),
        ("/v1/rerank", "/"),
        ("/v1/rerank", "/v1"),
        ("/v1/rerank", "/v1/rerank"),
        ("/rerank", ""),
        ("/rerank", "/rerank"),
        ("/api/v2/reranking", "/api/v2/reranking"),
        ("/v1/rerank?version=1", "?version=1"),
        ("/v1/rerank?version=1", "/v1?version=1"),
    ],
)
def test_the_endpoint_is_found_from_the_servers_address(server, replies, candidates, served, given):
    usual = server.answer
    server.answer = lambda request: (
        usual(request) if request.path == served else replies({"error": "no"}, 404)
    )
    assert len(ask(server, "http", candidates("x", "y"), given)) == 2
    asked = len(server.requests)
    ask(server, "http", candidates("x", "y"), given)
    assert len(server.requests) == asked + 1  # found once, remembered


def texts_server(replies):
    """As Text Embeddings Inference answers: only ``texts``, at most 32, a bare list."""

    def answer(request):
        if request.path != "/rerank":
            return replies(b"", 404)
        if "texts" not in request.body:
            message = (
                "Failed to deserialize the JSON body into the target type: missing field `texts` at line 1"
            )
            return replies(message.encode(), 422)
        texts = request.body["texts"]
        if len(texts) > 32:
            return replies(
                {"error": "batch size 33 > maximum allowed batch size 32", "error_type": "Validation"}, 413
            )
        ranked = sorted(
            ({"index": i, "score": float(text)} for i, text in enumerate(texts)), key=lambda r: -r["score"]
        )
        return replies(ranked)

    return answer


@pytest.mark.parametrize("path", ["", "/rerank"])
def test_a_server_that_wants_texts_is_found_out_and_given_no_more_than_it_takes(
    server, replies, candidates, path
):
    server.answer = texts_server(replies)
    many = candidates(*(str(n) for n in range(70)))
    result = ask(server, "http", many, path)
    assert [one.score for one in result] == [float(n) for n in range(69, -1, -1)]
    assert [len(request.body["texts"]) for request in server.requests if "texts" in request.body] == [
        32,
        32,
        6,
    ]
    assert server.requests[-1].body["truncate"] is True


def test_the_shape_and_the_batch_can_be_told(server, replies, candidates):
    server.answer = texts_server(replies)
    ask(server, "http", candidates("1", "2", "3"), "/rerank", shape="texts", batch="2")
    assert [len(request.body["texts"]) for request in server.requests] == [2, 1]


def test_no_model_is_sent_unless_one_is_named(server, candidates):
    ask(server, "http", candidates("x"))
    ask(server, "http", candidates("x"), model="bge-reranker-v2-m3")
    assert "model" not in server.requests[0].body
    assert server.requests[1].body["model"] == "bge-reranker-v2-m3"


def test_no_key_is_sent_unless_its_variable_is_named(server, candidates, monkeypatch):
    monkeypatch.setenv("COHERE_API_KEY", KEY)
    create("cohere").rerank("q", candidates("x"), 1, {"url": server.url})
    create("http").rerank("q", candidates("x"), 1, {"url": server.url})
    assert all("Authorization" not in request.headers for request in server.requests)


def test_http_asks_for_a_url(candidates):
    with pytest.raises(ConfigError, match="url"):
        create("http").rerank("q", candidates("x"), 1, {})


def test_scores_of_two_servers_are_kept_apart():
    http, cohere = create("http"), create("cohere")
    assert http.model({"url": "http://a"}) != http.model({"url": "http://b"})
    assert cohere.model({}) == "rerank-v3.5"
    assert cohere.model({"url": "http://gateway/x"}) != cohere.model({})
