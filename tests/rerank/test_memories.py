"""Keyword reranking of memories: the scoring that seed 003 describes."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

import tamis
from tamis.errors import RerankInputError
from tamis.rerank import RerankSettings, create, rerank_documents, rerank_memories
from tamis.rerank.memories import date_ms

NOW = datetime(2026, 7, 1, tzinfo=UTC)


def score(query, **memory):
    return rerank_memories([{"content": "", **memory}], query, now=NOW)[0]["rerank_score"]


def test_a_title_that_contains_the_query_counts_10_besides_its_words():
    assert score("security fixes", title="Our Security Fixes") == 10 + 2 + 2


def test_each_occurrence_of_a_word_counts_1_in_the_content_and_2_in_the_title():
    assert score("security fixes", title="security", content="Fixes, fixes and security") == 2 + 3


def test_words_of_two_letters_do_not_count():
    assert score("to be or not", content="to be or be") == 0


def test_a_word_that_the_query_repeats_counts_once():
    assert score("key key", content="key") == 1


def test_marks_around_a_word_of_the_query_are_passed_over():
    assert score("what about (keys)?", content="keys") == 1
    assert score("c++ tips", content="c++") == 1


@pytest.mark.parametrize(
    ("when", "boost"),
    [
        (NOW, 0.5),
        ("2026-07-01", 0.5),
        ("2026-07-01T00:00:00Z", 0.5),
        (date(2026, 7, 1), 0.5),
        (NOW.timestamp(), 0.5),
        (NOW.timestamp() * 1000, 0.5),
        ("2027-01-01", 0.5),
        ("2025-12-30T12:00:00Z", 0.25),  # 182.5 days, half of a year
        ("2025-07-01", 0.0),
        ("1999-01-01", 0.0),
        ("last week", 0.0),
        (None, 0.0),
        (True, 0.0),
        (float("nan"), 0.0),
    ],
)
def test_a_recent_memory_gains_up_to_a_half_over_a_year(when, boost):
    assert score("keys", content="keys", date=when) == pytest.approx(1 + boost)


def test_the_best_five_come_by_default_best_first():
    memories = [{"id": str(n), "content": "key " * n} for n in range(8)]
    best = rerank_memories(memories, "key", now=NOW)
    assert [one["id"] for one in best] == ["7", "6", "5", "4", "3"]
    assert [one["rank"] for one in best] == [1, 2, 3, 4, 5]
    assert best[0]["original_rank"] == 8


def test_equal_memories_keep_their_order_and_everything_in_them():
    memories = [{"content": "a", "tags": ["x"]}, {"content": "b", "own": 1}]
    assert rerank_memories(memories, "nothing", now=NOW) == [
        {"content": "a", "tags": ["x"], "original_rank": 1, "rerank_score": 0, "rank": 1},
        {"content": "b", "own": 1, "original_rank": 2, "rerank_score": 0, "rank": 2},
    ]


def test_top_k_may_be_all_or_none():
    memories = [{"content": str(n)} for n in range(7)]
    assert len(rerank_memories(memories, "x", None)) == 7
    assert rerank_memories(memories, "x", 0) == []
    assert rerank_memories([], "x") == []


def test_a_blank_query_matches_nothing():
    assert score("  ", title="any", content="thing") == 0


@pytest.mark.parametrize("memory", [{}, {"content": None}, {"content": 3}, {"content": "x", "title": 3}])
def test_a_memory_without_text_is_refused(memory):
    with pytest.raises(RerankInputError):
        rerank_memories([memory], "x")


def test_the_package_itself_can_be_called():
    import tamis.rerank

    memories = [{"content": "nothing"}, {"content": "keys"}]
    assert [one["content"] for one in tamis.rerank(memories, "keys", 1)] == ["keys"]


@pytest.mark.parametrize("odd", [None, "abc", 5, [5], [None], ["text"]])
def test_what_is_no_list_of_memories_is_refused(odd):
    with pytest.raises(RerankInputError, match="memories"):
        tamis.rerank(odd, "q", 5)


@pytest.mark.parametrize(("query", "top_k"), [(None, 5), ("q", "5")])
def test_what_is_no_query_or_number_is_refused(query, top_k):
    with pytest.raises(RerankInputError):
        tamis.rerank([{"content": "x"}], query, top_k)


@pytest.mark.parametrize("score", [float("inf"), float("nan"), 10**400])
def test_a_score_that_is_not_finite_is_refused(score):
    with pytest.raises(RerankInputError, match="score"):
        rerank_documents("q", [{"content": "x", "score": score}], create("noop"), RerankSettings("noop"))


def test_a_date_beyond_all_measure_is_none():
    assert date_ms(10**400) is None
