"""However much there is to say, a reply has the length that was asked for."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tamis.mcp_server import tools
from tamis.mcp_server.calling import Calls
from tamis.mcp_server.tokens import estimate

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import tamis

pytestmark = pytest.mark.anyio
HALF = "\ud83d"


@pytest.fixture
def failing(library: tamis.Library, notes: Path) -> None:
    """A corpus with many files that could not be read."""
    for number in range(900):
        (notes / f"a_file_with_quite_a_long_name_number_{number:05}.md").write_bytes(b"\0\1\2")
    library.index("notes", [notes], dense=False)


@pytest.mark.usefixtures("failing")
@pytest.mark.parametrize("asked", [{}, {"name": "notes"}])
async def test_health_is_bounded(asked: dict[str, Any], connect: Callable[..., Any]) -> None:
    async with connect() as client:
        answer = await client.call_tool("corpus_health", {**asked, "max_tokens": 2000})
    assert estimate(answer.content[0].text) < 3000
    assert estimate(json.dumps(answer.structured_content)) < 3500


@pytest.mark.usefixtures("failing")
async def test_the_resource_of_a_corpus_is_bounded_and_says_so(connect: Callable[..., Any]) -> None:
    async with connect() as client:
        text = (await client.read_resource("tamis://corpus/notes")).contents[0].text
    assert estimate(text) < 12_000
    assert "corpus_health" in json.loads(text)["cut"]


async def test_a_document_is_cut_only_where_no_reply_could_hold_it_and_it_is_said(
    connect: Callable[..., Any],
) -> None:
    async with connect() as client:
        whole = await client.call_tool("vant_rerank", {"query": "q", "docs": ["q " * 2050]})
        cut = await client.call_tool(
            "rerank", {"query": "q" * 90_000, "docs": ["q " * 20_000], "max_tokens": 2500}
        )
    assert whole.structured_content["result"]["results"][0]["content"] == "q " * 2050
    assert whole.structured_content["warnings"] == []
    assert estimate(cut.content[0].text) < 2700
    assert len(json.dumps(cut.structured_content["result"])) < 9000
    assert "cut" in cut.structured_content["warnings"][0]


@pytest.mark.parametrize(
    ("tool", "asked"),
    [
        ("compress", {"docs": [f"a {HALF} b"], "query": "a"}),
        ("refine", {"docs": [f"a {HALF} b"], "query": HALF}),
        ("corpus_rerank", {"hits": [{"id": HALF, "path": "/a", "score": 1, "chunk_index": 0, HALF: 1}],
                           "rerank_by": "lexical_boost", "lexical_terms": [HALF]}),
    ],
)  # fmt: skip
async def test_half_a_surrogate_pair_is_no_error_whatever_brings_it(
    tool: str, asked: dict[str, Any], library: tamis.Library
) -> None:
    found = tools.find(tool)
    assert found is not None
    answer = await Calls(lambda: library).run(found, asked, None)  # type: ignore[arg-type]
    assert not answer.is_error


@pytest.mark.parametrize(
    ("tool", "asked", "hint"),
    [
        ("ollama_corpus_search", {"query": "x"}, "pass corpus"),
        ("ollama_corpus_rerank", {"hits": [{"id": "1", "path": "/a", "score": 1, "chunk_index": 0}]}, "pass rerank_by"),
    ],
)  # fmt: skip
async def test_a_seeds_name_is_told_of_its_own_arguments_only(
    tool: str, asked: dict[str, Any], hint: str, connect: Callable[..., Any]
) -> None:
    async with connect() as client:
        answer = await client.call_tool(tool, asked)
    assert answer.structured_content["hint"] == hint
