"""Resources, prompts and what a client is told when it connects."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from mcp.types import PromptReference, ResourceTemplateReference

from mcp import MCPError, UriTemplate
from tamis.mcp_server.resources import document_uri

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import tamis

pytestmark = pytest.mark.anyio


async def test_the_corpora_are_listed_as_resources(connect: Callable[..., Any], indexed: Path) -> None:
    async with connect() as client:
        listed = {resource.uri for resource in (await client.list_resources()).resources}
        assert listed == {"tamis://corpora", "tamis://corpus/notes"}
        corpora = json.loads((await client.read_resource("tamis://corpora")).contents[0].text)
        health = json.loads((await client.read_resource("tamis://corpus/notes")).contents[0].text)
    assert [line["name"] for line in corpora] == ["notes"]
    assert health["documents"] == 3


async def test_documents_and_passages_are_read_by_the_templates(
    connect: Callable[..., Any], library: tamis.Library, notes: Path
) -> None:
    strange = notes / "100% größer #1?.md"
    strange.write_text("# Strange\n\nA strange name.\n")
    library.index("notes", [notes])
    async with connect() as client:
        templates = {
            t.name: t.uri_template for t in (await client.list_resource_templates()).resource_templates
        }
        uri = UriTemplate.parse(templates["document"]).expand(
            {"name": "notes", "path": str(notes / "keys.md")}
        )
        document = await client.read_resource(uri)
        assert "ninety days" in document.contents[0].text
        other = await client.read_resource(document_uri("notes", str(strange)))
        assert "A strange name" in other.contents[0].text
        hits = await client.call_tool(
            "corpus_search", {"corpus": "notes", "query": "rotated", "mode": "lexical"}
        )
        number = hits.structured_content["result"]["hits"][0]["id"].rpartition(":")[2]
        passage = await client.read_resource(
            UriTemplate.parse(templates["chunk"]).expand({"name": "notes", "id": number})
        )
        assert "ninety days" in passage.contents[0].text


async def test_a_long_document_is_cut_and_says_where_the_rest_is(
    connect: Callable[..., Any], library: tamis.Library, notes: Path
) -> None:
    (notes / "long.md").write_text("A sentence of the long text.\n" * 5000)
    library.index("notes", [notes], dense=False)
    async with connect() as client:
        text = (await client.read_resource(document_uri("notes", str(notes / "long.md")))).contents[0].text
    assert len(text) < 40_000
    assert "corpus_get" in text


@pytest.mark.parametrize(
    "uri",
    [
        "tamis://corpus/absent",
        "tamis://corpus/notes/document/absent.md",
        "tamis://corpus/notes/chunk/keys.md",
        "tamis://corpus/notes/chunk/notes:keys.md",
        "tamis://other",
        "file:///etc/passwd",
    ],
)
async def test_what_is_no_resource_is_refused(uri: str, connect: Callable[..., Any], indexed: Path) -> None:
    async with connect() as client:
        with pytest.raises(MCPError):
            await client.read_resource(uri)


async def test_prompts_take_their_arguments(connect: Callable[..., Any], indexed: Path) -> None:
    async with connect() as client:
        names = [prompt.name for prompt in (await client.list_prompts()).prompts]
        assert names == ["recall", "what_changed", "reading_list"]
        asked = {"question": "Who rotates {keys}?", "corpus": "notes"}
        recall = (await client.get_prompt("recall", asked)).messages[0].content.text
        changed = (await client.get_prompt("what_changed", {"since": "2026-01-01"})).messages[0].content.text
        with pytest.raises(MCPError, match="needs question"):
            await client.get_prompt("recall", {})
        with pytest.raises(MCPError, match="did you mean 'question'"):
            await client.get_prompt("recall", {"questions": "x"})
        with pytest.raises(MCPError, match="no prompt"):
            await client.get_prompt("absent", {})
    assert "Who rotates {keys}?" in recall
    assert "the corpus notes" in recall
    assert 'filter {"since": "2026-01-01"}' in changed


async def test_names_of_corpora_are_completed(
    connect: Callable[..., Any], library: tamis.Library, notes: Path
) -> None:
    for name in ("notes", "novel", "code"):
        library.index(name, [notes], dense=False)
    async with connect() as client:
        for reference in (
            PromptReference(name="recall"),
            ResourceTemplateReference(uri="tamis://corpus/{name}/chunk/{id}"),
        ):
            argument = {"name": "corpus" if isinstance(reference, PromptReference) else "name", "value": "no"}
            found = await client.complete(reference, argument)
            assert found.completion.values == ["notes", "novel"]


async def test_the_instructions_tell_what_can_be_recalled(
    connect: Callable[..., Any], library: tamis.Library, notes: Path
) -> None:
    async with connect() as client:
        assert "No corpus is indexed yet" in client.instructions
    library.index("notes", [notes])
    async with connect() as client:
        assert "- notes: 3 documents, " in client.instructions
        assert "indexed just now" in client.instructions
