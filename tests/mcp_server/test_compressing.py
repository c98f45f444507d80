"""The tools that cut texts to a budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.mcp_server.answers import error_of, result_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.anyio

DOCS = [
    "The harbour opens at six. Ships wait outside until the pilot comes. The pilot lives on the island.",
    "Keys are rotated every ninety days. The vault holds the old ones. Nobody else may open it.",
]


async def test_texts_are_cut_to_what_the_query_needs(connect: Callable[..., Any]) -> None:
    asked = {"docs": DOCS, "query": "how often are keys rotated?", "max_tokens": 25}
    async with connect() as client:
        answer = await client.call_tool("compress", asked)
    result = result_of("compress", answer)
    assert "rotated every ninety days" in result["text"]
    assert result["tokens_after"] <= 25 < result["tokens_before"]
    assert "rotated every ninety days" in answer.content[0].text


async def test_evidence_is_found_and_cut(connect: Callable[..., Any], indexed: Path) -> None:
    query = "who rotates keys?"
    async with connect() as client:
        found = result_of(
            "refine", await client.call_tool("refine", {"query": query, "corpus": "notes", "max_tokens": 150})
        )
        given = result_of(
            "refine", await client.call_tool("refine", {"query": query, "docs": DOCS, "top_k": 1})
        )
        neither = await client.call_tool("refine", {"query": query})
    assert "rotate" in found["text"]
    assert found["tokens_after"] <= 150
    assert "vault" in given["text"]
    assert "harbour" not in given["text"]
    assert error_of(neither)["code"] == "SCHEMA_INVALID"
