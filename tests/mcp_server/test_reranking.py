"""The tools that rank what they are given."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from tests.mcp_server.answers import error_of, result_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import tamis

pytestmark = pytest.mark.anyio


def hit(path: str, score: float = 1.0, **more: Any) -> dict[str, Any]:
    return {"id": path, "path": path, "score": score, "chunk_index": 0, **more}


async def reranked(connect: Callable[..., Any], **asked: Any) -> tuple[list[dict[str, Any]], list[str]]:
    async with connect() as client:
        answer = await client.call_tool("corpus_rerank", asked)
    return result_of("corpus_rerank", answer)["hits"], answer.structured_content["warnings"]


async def test_hits_are_reordered_by_depth_and_by_terms_with_no_corpus_at_all(
    connect: Callable[..., Any],
) -> None:
    hits, _ = await reranked(
        connect, hits=[hit("/a"), hit("C:\\b\\c\\d"), hit("/a/b")], rerank_by="path_specificity"
    )
    assert [(one["path"], one["original_rank"], one["rank"], one["rerank_score"]) for one in hits] == [
        ("C:\\b\\c\\d", 2, 1, 4), ("/a/b", 3, 2, 2), ("/a", 1, 3, 1),
    ]  # fmt: skip
    hits, _ = await reranked(
        connect,
        hits=[
            hit("/a", 1.0, title=None),
            hit("/b", 0.5, preview="The Key."),
            hit("/c", 0.9, heading_path=["keys"], own=[1]),
        ],
        rerank_by="lexical_boost",
        lexical_terms=["key", "the"],
    )
    assert [(one["path"], one["rerank_score"]) for one in hits] == [("/b", 2.5), ("/a", 1.0), ("/c", 0.9)]
    assert hits[2]["own"] == [1], "what a hit has besides is passed on"


async def test_the_newest_file_is_first_and_files_elsewhere_are_not_looked_at(
    connect: Callable[..., Any], notes: Path, tmp_path: Path
) -> None:
    old, new = notes / "keys.md", notes / "backups.md"
    os.utime(old, (1_000_000, 1_000_000))
    os.utime(new, (2_000_000, 2_000_000))
    outside = tmp_path / "outside.md"
    outside.write_text("x")
    hits, warnings = await reranked(
        connect,
        hits=[hit(str(outside)), hit(str(old)), hit(str(new)), hit(str(notes / "absent"))],
        rerank_by="recency",
    )
    assert [one["rerank_score"] for one in hits] == [2_000_000_000, 1_000_000_000, 0, 0]
    assert [one["original_rank"] for one in hits] == [3, 2, 1, 4]
    assert any("outside" in warning for warning in warnings)


async def test_a_driver_looks_at_no_file_elsewhere_either(
    connect: Callable[..., Any], notes: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("x")
    os.utime(notes / "keys.md", (1_000_000, 1_000_000))
    hits, warnings = await reranked(
        connect, hits=[hit(str(outside)), hit(str(notes / "keys.md"))], driver="recency", query="keys"
    )
    assert [(one["original_rank"], one["rerank_score"]) for one in hits] == [(2, 1_000_000_000), (1, 0)]
    assert any("outside" in warning for warning in warnings)


@pytest.mark.parametrize("by", [{"rerank_by": "recency"}, {"driver": "recency", "query": "keys"}])
async def test_files_of_a_corpus_are_looked_at_wherever_a_person_had_them_indexed(
    by: dict[str, str], connect: Callable[..., Any], library: tamis.Library, tmp_path: Path
) -> None:
    file = tmp_path / "elsewhere" / "a.md"
    file.parent.mkdir()
    file.write_text("A text.\n")
    os.utime(file, (3_000_000, 3_000_000))
    library.index("elsewhere", [file.parent], dense=False)
    hits, warnings = await reranked(connect, hits=[hit(str(file))], **by)
    assert (hits[0]["rerank_score"], warnings) == (3_000_000_000, [])


async def test_texts_are_ranked_against_a_query(connect: Callable[..., Any]) -> None:
    docs = ["nothing", "keys and keys", "one of the keys"]
    async with connect() as client:
        result = result_of(
            "rerank", await client.call_tool("rerank", {"query": "keys", "docs": docs, "top_k": 2})
        )
        none = result_of("rerank", await client.call_tool("rerank", {"query": "keys", "docs": []}))
    assert [(item["index"], item["rank"], item["score"]) for item in result["results"]] == [
        (1, 1, 2),
        (2, 2, 1),
    ]
    assert none["results"] == []


async def test_a_driver_reads_what_the_index_has_of_a_hit_and_a_rule_stands_in_for_one_that_fails(
    connect: Callable[..., Any], indexed: Path
) -> None:
    async with connect() as client:
        found = result_of(
            "corpus_search",
            await client.call_tool(
                "corpus_search", {"corpus": "notes", "query": "vault keys spawn", "preview_chars": 0}
            ),
        )["hits"]
        asked = {"hits": [hit("/a", preview="the vault"), *found], "rerank_by": "path_specificity"}
        by_driver = result_of(
            "corpus_rerank",
            await client.call_tool("corpus_rerank", {**asked, "driver": "keyword", "query": "vault backups"}),
        )
        no_query = await client.call_tool("corpus_rerank", {**asked, "driver": "keyword"})
        unknown = await client.call_tool("corpus_rerank", {**asked, "driver": "keywort", "query": "vault"})
        unreachable = await client.call_tool(
            "corpus_rerank", {**asked, "driver": "cohere", "query": "vault backups"}
        )
    assert by_driver["rerank_by"] == "keyword"
    ranked = by_driver["hits"]
    # Two words of the query are in the whole passage, which only the index has; one is in the other hit's preview.
    assert [one["path"] for one in ranked[:2]] == [str(indexed / "backups.md"), "/a"]
    assert [one["rank"] for one in ranked] == list(range(1, len(ranked) + 1))
    assert "content" not in ranked[0]
    assert "query" in error_of(no_query)["message"]
    assert "keyword" in error_of(unknown)["hint"]
    rule = result_of("corpus_rerank", unreachable)
    assert rule["rerank_by"] == "path_specificity"
    assert rule["hits"][-1]["path"] == "/a"
    assert any("cohere" in warning for warning in unreachable.structured_content["warnings"])
    assert unreachable.structured_content["degraded"] is True


async def test_a_driver_and_a_query_do_without_a_rule(connect: Callable[..., Any]) -> None:
    asked = {"hits": [hit("/a", preview="a horse"), hit("/b", preview="a zebra")], "query": "zebra"}
    async with connect() as client:
        ranked = result_of(
            "corpus_rerank", await client.call_tool("corpus_rerank", {**asked, "driver": "keyword"})
        )
        failed = await client.call_tool("corpus_rerank", {**asked, "driver": "cohere"})
        texts = await client.call_tool("rerank", {"query": "q", "docs": ["a"], "driver": "cohere"})
    assert [one["path"] for one in ranked["hits"]] == ["/b", "/a"]
    assert [one["path"] for one in result_of("corpus_rerank", failed)["hits"]] == ["/a", "/b"]
    for answer in (failed, texts):
        assert answer.structured_content["degraded"] is True
        assert "cohere" in answer.structured_content["degrade_reason"]
