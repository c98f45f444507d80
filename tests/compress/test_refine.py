"""Refine: rerank, then compress."""

from __future__ import annotations

from dataclasses import replace

from tamis.compress import counter, refine
from tests.samples import HIT

MEMORIES = [
    {
        "id": "1",
        "title": "Lunch",
        "content": "Soup is served at noon. Coffee costs nothing.",
        "date": "2026-01-01",
    },
    {
        "id": "2",
        "title": "Security",
        "content": "The canteen is locked at night. Security fixes ship on Fridays. The cat sleeps. Bread is baked.",
        "date": "2026-01-02",
    },
    {
        "id": "3",
        "title": "Lessons",
        "content": "Never ship security fixes on a Friday.",
        "date": "2026-01-03",
    },
]


def by_hits(memories, query, top_k):
    """Counts the query's words; enough of a reranker here."""
    score = {id(m): sum(m["content"].lower().count(word) for word in query.split()) for m in memories}
    return sorted(memories, key=lambda m: -score[id(m)])[:top_k]


def test_memories_come_back_best_first_and_shorter():
    refined = refine("security fixes", MEMORIES, by_hits, top_k=2, max_tokens=34)
    assert [memory["id"] for memory in refined.memories] == ["2", "3"]
    assert "Security fixes ship on Fridays." in refined.memories[0]["content"]
    assert "cat" not in refined.memories[0]["content"]
    assert refined.memories[0]["title"] == "Security"
    assert MEMORIES[1]["content"].endswith("Bread is baked.")


def test_the_stats_say_what_was_done():
    refined = refine("security fixes", MEMORIES, by_hits, top_k=2, max_tokens=34)
    stats = refined.stats
    assert (stats.input, stats.reranked, stats.output) == (3, 2, 2)
    assert (stats.truncated, stats.dropped) == (1, 0)
    assert stats.tokens_before == sum(counter("bundled").count(memory["content"]) for memory in MEMORIES)
    assert stats.tokens_after == refined.compressed.tokens_after <= 34
    assert stats.ratio == stats.tokens_after / stats.tokens_before
    assert stats.elapsed_ms >= 0
    assert stats.tokenizer == "bundled"


def test_a_memory_that_does_not_fit_is_dropped():
    refined = refine("security fixes", MEMORIES, by_hits, top_k=3, max_tokens=14)
    assert refined.stats.output + refined.stats.dropped == refined.stats.reranked == 3
    assert refined.stats.dropped > 0


def test_hits_come_back_as_hits():
    text = "The cat sleeps in the hall. Security fixes ship on Fridays. Bread is baked daily here."
    hit = replace(HIT, char_end=66, text=text)
    refined = refine("security fixes", [hit], lambda hits, query, top_k: hits[:top_k], max_tokens=24)
    assert "Security fixes ship on Fridays." in refined.memories[0].text
    assert refined.memories[0].path == "a.md"


def test_nothing_to_refine_gives_nothing():
    refined = refine("security", [], by_hits)
    assert refined.memories == ()
    assert (refined.stats.input, refined.stats.output, refined.stats.ratio) == (0, 0, 1.0)
