"""The tools, called with the SDK's client in memory."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

import anyio
import pytest

import tamis
from mcp import MCPError
from tests.llm.chat_server import ChatServer
from tests.mcp_server.answers import error_of, result_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.anyio


@pytest.fixture
def chat(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    """A chat server that is the instant model, for libraries that are opened after it."""
    for name in ("OLLAMA_HOST", "OPENAI_API_KEY", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    running = ChatServer()
    monkeypatch.setenv("TAMIS_TIERS_INSTANT_MODEL", "small")
    monkeypatch.setenv("TAMIS_TIERS_INSTANT_URL", running.url)
    yield running
    running.close()


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_both_eras_of_the_protocol_are_served(
    mode: str, connect: Callable[..., Any], indexed: Path
) -> None:
    async with connect(mode=mode) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        answer = await client.call_tool("corpus_search", {"corpus": "notes", "query": "rotate keys"})
    assert names[0] == "corpus_search"
    assert result_of("corpus_search", answer)["hits"][0]["path"] == str(indexed / "keys.md")


async def test_a_search_finds_passages_with_all_that_a_citation_needs(
    connect: Callable[..., Any], indexed: Path
) -> None:
    async with connect() as client:
        answer = await client.call_tool(
            "corpus_search", {"corpus": "notes", "query": "who rotates keys", "top_k": 1}
        )
    result = result_of("corpus_search", answer)
    (hit,) = result["hits"]
    assert (result["corpus_name"], result["mode"]) == ("notes", "hybrid")
    assert hit["path"] == str(indexed / "keys.md")
    assert hit["lines"][0] <= 5 <= hit["lines"][1]
    assert "rotated" in hit["preview"]
    assert "text" not in hit
    text = answer.content[0].text
    assert f"{hit['path']}:{hit['lines'][0]}-{hit['lines'][1]}" in text
    assert hit["id"] in text


@pytest.mark.parametrize("mode", ["semantic", "lexical", "hybrid", "fact", "title_path"])
async def test_every_mode_answers(mode: str, connect: Callable[..., Any], indexed: Path) -> None:
    async with connect() as client:
        answer = await client.call_tool(
            "corpus_search", {"corpus": "notes", "query": "backups", "mode": mode}
        )
    result = result_of("corpus_search", answer)
    assert result["mode"] == mode
    assert result["hits"][0]["path"] == str(indexed / "backups.md")


async def test_nothing_found_is_an_answer_and_no_error(connect: Callable[..., Any], indexed: Path) -> None:
    async with connect() as client:
        blank = await client.call_tool("corpus_search", {"corpus": "notes", "query": " "})
        none = await client.call_tool(
            "corpus_search", {"corpus": "notes", "query": "zzzz", "mode": "lexical"}
        )
    assert result_of("corpus_search", blank)["weak"] is True
    assert result_of("corpus_search", blank)["reason"]
    assert result_of("corpus_search", none)["hits"] == []


async def test_a_filter_is_applied_and_told(connect: Callable[..., Any], indexed: Path) -> None:
    asked = {"corpus": "notes", "query": "keys", "filter": {"path_glob": "**/*.rs"}}
    async with connect() as client:
        result = result_of("corpus_search", await client.call_tool("corpus_search", asked))
    assert {hit["path"] for hit in result["hits"]} <= {str(indexed / "deep" / "tokio.rs")}
    assert result["filter_applied"]["path_glob"] == "**/*.rs"


async def test_several_corpora_are_ranked_together(
    connect: Callable[..., Any], indexed: Path, library: tamis.Library
) -> None:
    library.index("code", [indexed / "deep"])
    asked = {"corpus": "notes", "corpora": ["code"], "query": "spawn task", "mode": "lexical"}
    async with connect() as client:
        result = result_of("corpus_search", await client.call_tool("corpus_search", asked))
    assert {hit["corpus"] for hit in result["hits"]} <= {"notes", "code"}
    assert result["corpus_name"] != "notes"


async def test_without_a_language_model_hits_are_explained_by_rule(
    connect: Callable[..., Any], indexed: Path
) -> None:
    asked = {"corpus": "notes", "query": "keys", "mode": "lexical", "top_k": 1}
    async with connect() as client:
        answer = await client.call_tool("corpus_search", {**asked, "explain": True})
        plain = await client.call_tool("corpus_search", asked)
    (hit,) = result_of("corpus_search", answer)["hits"]
    assert hit["why_matched"].startswith("by rule: keys in the title")
    assert f"(why: {hit['why_matched']})" in answer.content[0].text
    assert answer.structured_content["warnings"] == []
    assert "why_matched" not in result_of("corpus_search", plain)["hits"][0]


async def test_a_language_model_explains_hits_and_the_envelope_names_it(
    chat: ChatServer, connect: Callable[..., Any], indexed: Path
) -> None:
    chat.say = lambda model, prompt: f"{model} finds keys."
    asked = {"corpus": "notes", "query": "keys", "mode": "lexical", "top_k": 1, "explain": True}
    async with connect() as client:
        answer = await client.call_tool("corpus_search", asked)
    assert result_of("corpus_search", answer)["hits"][0]["why_matched"] == "small finds keys."
    assert "(why: small finds keys.)" in answer.content[0].text
    assert (answer.structured_content["model"], answer.structured_content["tokens_in"]) == ("small", 100)


async def test_a_model_that_cannot_answer_degrades_the_search(
    connect: Callable[..., Any], indexed: Path, model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(text: str) -> Any:
        raise tamis.errors.UnreachableError("no model", hint="start it")

    monkeypatch.setattr(model, "embed_query", broken)
    async with connect() as client:
        answer = await client.call_tool("corpus_search", {"corpus": "notes", "query": "keys"})
        alone = await client.call_tool(
            "corpus_search", {"corpus": "notes", "query": "keys", "mode": "semantic"}
        )
    assert result_of("corpus_search", answer)["hits"]
    assert answer.structured_content["degraded"] is True
    assert error_of(alone)["retryable"] is True


async def test_get_reads_a_hit_a_document_and_some_lines(connect: Callable[..., Any], indexed: Path) -> None:
    path = indexed / "keys.md"
    async with connect() as client:
        found = await client.call_tool(
            "corpus_search", {"corpus": "notes", "query": "rotated", "mode": "lexical"}
        )
        hit = found.structured_content["result"]["hits"][0]
        chunk = result_of("corpus_get", await client.call_tool("corpus_get", {"target": hit["id"]}))
        whole = result_of("corpus_get", await client.call_tool("corpus_get", {"target": str(path)}))
        some = await client.call_tool("corpus_get", {"target": "keys.md", "corpus": "notes", "lines": [5, 5]})
    assert path.read_text()[chunk["char_start"] : chunk["char_end"]] == chunk["text"]
    assert whole["text"].strip() == path.read_text().strip()
    assert "ninety days" in result_of("corpus_get", some)["text"]
    assert f"{path}:5-5" in some.content[0].text


async def test_get_finds_the_one_corpus_that_has_a_document(
    connect: Callable[..., Any], indexed: Path, library: tamis.Library, tmp_path: Path
) -> None:
    other = tmp_path / "user" / "other"
    other.mkdir()
    (other / "keys.md").write_text("# Other keys\n")
    library.index("code", [indexed / "deep"], dense=False)
    library.index("other", [other], dense=False)
    async with connect() as client:
        only = await client.call_tool("corpus_get", {"target": "backups.md"})
        either = await client.call_tool("corpus_get", {"target": str(indexed / "deep" / "tokio.rs")})
        several = await client.call_tool("corpus_get", {"target": "keys.md"})
        none = await client.call_tool("corpus_get", {"target": "absent.md"})
    assert result_of("corpus_get", only)["corpus"] == "notes"
    assert "spawn_task" in result_of("corpus_get", either)["text"]
    assert "notes, other" in error_of(several)["hint"]
    assert error_of(none)["code"] == "DOCUMENT_NOT_FOUND"


async def test_a_damaged_corpus_is_told_and_the_others_are_served(
    connect: Callable[..., Any], indexed: Path, library: tamis.Library
) -> None:
    damaged = library.home / "corpora" / "broken"
    damaged.mkdir()
    (damaged / "corpus.db").write_bytes(b"no database at all" * 100)
    async with connect() as client:
        assert "- broken: cannot be used" in client.instructions
        listed = await client.call_tool("corpus_list", {})
        health = await client.call_tool("corpus_health", {})
    assert [line["name"] for line in result_of("corpus_list", listed)] == ["broken", "notes"]
    assert [line["name"] for line in result_of("corpus_health", health)["corpora"]] == ["notes"]
    for answer in (listed, health):
        assert any("broken cannot be used" in warning for warning in answer.structured_content["warnings"])


async def test_get_says_that_a_file_has_changed(connect: Callable[..., Any], indexed: Path) -> None:
    (indexed / "keys.md").write_text("# Keys\n\nNew.\n")
    async with connect() as client:
        answer = await client.call_tool("corpus_get", {"target": str(indexed / "keys.md")})
    assert "ninety" in result_of("corpus_get", answer)["text"]
    assert any("changed" in warning for warning in answer.structured_content["warnings"])


async def test_index_refresh_amend_and_history(connect: Callable[..., Any], notes: Path, model: Any) -> None:
    path = notes / "keys.md"
    async with connect() as client:
        indexed = await client.call_tool(
            "corpus_index", {"name": "mine", "paths": [str(notes)], "chunk_chars": 200}
        )
        report = result_of("corpus_index", indexed)
        assert (report["name"], report["documents"], report["failed_paths"]) == ("mine", 3, [])

        amended = await client.call_tool(
            "corpus_amend", {"corpus": "mine", "file_path": str(path), "new_content": "# Keys\n\nA zebra.\n"}
        )
        change = result_of("corpus_amend", amended)
        assert (change["corpus"], change["file_path"]) == ("mine", str(path))
        assert amended.structured_content["warnings"]

        health = result_of(
            "corpus_health", await client.call_tool("corpus_health", {"name": "mine", "detailed": True})
        )
        assert health["has_amended_content"] is True
        assert {file["path"] for file in health["files"]} == {
            str(notes / name) for name in ("keys.md", "backups.md", "deep/tokio.rs")
        }

        history = await client.call_tool("corpus_amend_history", {"corpus": "mine"})
        assert [entry["path"] for entry in result_of("corpus_amend_history", history)] == [str(path)]

        (notes / "new.md").write_text("# New\n\nA giraffe.\n")
        refreshed = result_of("corpus_refresh", await client.call_tool("corpus_refresh", {"name": "mine"}))
        assert refreshed["added"] == [str(notes / "new.md")]
        health = result_of("corpus_health", await client.call_tool("corpus_health", {"name": "mine"}))
        assert health["has_amended_content"] is False

        listed = result_of("corpus_list", await client.call_tool("corpus_list", {}))
        assert [(line["name"], line["documents"]) for line in listed] == [("mine", 4)]
        everything = result_of("corpus_health", await client.call_tool("corpus_health", {}))
        assert [line["name"] for line in everything["corpora"]] == ["mine"]


async def test_only_files_under_the_allowed_roots_are_indexed(
    connect: Callable[..., Any], tmp_path: Path, library: tamis.Library
) -> None:
    outside = tmp_path / "elsewhere.md"
    outside.write_text("# Secret\n")
    async with connect() as client:
        answer = await client.call_tool("corpus_index", {"name": "notes", "paths": [str(outside)]})
    assert error_of(answer)["code"] == "PATH_NOT_ALLOWED"
    assert library.names() == []


@pytest.mark.parametrize(
    ("tool", "asked", "code"),
    [
        ("corpus_search", {"corpus": "absent", "query": "x"}, "CORPUS_NOT_FOUND"),
        ("corpus_search", {"corpus": "notes"}, "SCHEMA_INVALID"),
        ("corpus_search", {"corpus": "notes", "query": "x", "filter": {"since": "soon"}}, "FILTER_INVALID"),
        ("corpus_search", {"corpus": "notes", "query": "x", "rerank": "magic"}, "RERANK_INPUT_INVALID"),
        ("corpus_get", {"target": "absent.md"}, "DOCUMENT_NOT_FOUND"),
        ("corpus_get", {"target": "keys.md", "lines": [3, 2]}, "SCHEMA_INVALID"),
        ("corpus_index", {"name": "notes", "paths": ["~/absent"]}, "SOURCE_PATH_NOT_FOUND"),
        ("corpus_amend", {"corpus": "notes", "file_path": "/etc/x", "new_content": "x"}, "PATH_NOT_ALLOWED"),
        ("corpus_amend_history", {"corpus": "../x"}, "SCHEMA_INVALID"),
        ("corpus_health", {"job_id": "none"}, "JOB_NOT_FOUND"),
        ("corpus_list", {"cursor": "none"}, "CURSOR_EXPIRED"),
        ("vant_rerank", {"query": "q", "docs": ["a"], "top_k": 1}, "SCHEMA_INVALID"),
        ("ollama_corpus_search", {"corpus": "notes", "query": "q", "rerank": "keyword"}, "SCHEMA_INVALID"),
        ("corpus_rerank", {"hits": [{"id": "1", "path": "/a", "score": 1, "chunk_index": 0}], "rerank_by": "lexical_boost"},
         "RERANK_INPUT_INVALID"),
    ],
)  # fmt: skip
async def test_a_mistake_is_an_error_that_names_the_remedy(
    tool: str, asked: dict[str, Any], code: str, connect: Callable[..., Any], indexed: Path
) -> None:
    async with connect() as client:
        error = error_of(await client.call_tool(tool, asked))
    assert error["code"] == code
    assert error["hint"]


@pytest.mark.parametrize(
    ("tool", "asked", "hint"),
    [
        ("corpus_search", {"corpus": "notes", "query": None}, "string (minLength 1, maxLength 1000)"),
        ("corpus_search", {"corpus": "notes", "query": "q", "top_k": None}, "leave top_k out"),
        ("corpus_search", {"corpus": "notes", "query": "q", "filter": {"path_glob": ""}}, "string (minLength 1)"),
        ("corpus_rerank", {"hits": [{"id": "1", "path": "/a", "score": None, "chunk_index": 0}], "rerank_by": "recency"}, "number"),
        ("corpus_search", {"query": "q"}, "pass corpus, or scope"),
    ],
)  # fmt: skip
async def test_the_hint_says_what_the_argument_that_was_wrong_may_be(
    tool: str, asked: dict[str, Any], hint: str, connect: Callable[..., Any], indexed: Path
) -> None:
    async with connect() as client:
        assert hint in error_of(await client.call_tool(tool, asked))["hint"]


async def test_what_was_not_foreseen_shows_no_traceback_and_goes_to_the_log(
    connect: Callable[..., Any],
    library: tamis.Library,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken() -> None:
        raise ZeroDivisionError("secret-token")

    monkeypatch.setattr(library, "names", broken)
    async with connect(mode="2026-07-28") as client:
        answer = await client.call_tool("corpus_list", {})
    assert error_of(answer)["code"] == "INTERNAL"
    assert "secret-token" not in answer.content[0].text
    assert "ZeroDivisionError" in caplog.text


async def test_an_unknown_tool_is_refused_with_the_nearest_name(connect: Callable[..., Any]) -> None:
    async with connect() as client:
        with pytest.raises(MCPError, match="did you mean 'corpus_search'"):
            await client.call_tool("corpus_serch", {})


# -- answering --------------------------------------------------------------------------------------------


async def test_a_question_is_answered_with_citations_and_the_envelope_names_the_model(
    chat: ChatServer, connect: Callable[..., Any], indexed: Path
) -> None:
    said = {"answerable": True, "answer": "Every ninety days [1] [9].", "gaps": "It names nobody."}
    chat.say = lambda model, prompt: json.dumps(said)
    asked = {
        "corpus": "notes",
        "question": "how often are keys rotated?",
        "mode": "lexical",
        "tier": "instant",
    }
    async with connect() as client:
        answer = await client.call_tool("corpus_answer", asked)
    result = result_of("corpus_answer", answer)
    assert (result["answer"], result["abstained"]) == ("Every ninety days [1].", False)
    assert [(item["number"], item["path"]) for item in result["citations"]] == [(1, str(indexed / "keys.md"))]
    assert result["covered_sources"] == [str(indexed / "keys.md")]
    assert result["coverage_notes"] == ["It names nobody."]
    envelope = answer.structured_content
    assert (envelope["tier_used"], envelope["model"], envelope["backend"]) == ("instant", "small", "ollama")
    assert (envelope["tokens_in"], envelope["tokens_out"]) == (100, 10)
    assert any("citations named no passage" in warning for warning in envelope["warnings"])
    fenced = answer.content[0].text.partition("<<")[2].partition("\n\n")[2]
    assert "Every ninety days [1]." in fenced
    assert f"[1] {indexed / 'keys.md'}:" in fenced


@pytest.mark.parametrize(
    "asked",
    [{"question": "zzzz", "mode": "lexical"}, {"question": "keys", "mode": "semantic", "min_top_score": 1}],
)
async def test_where_nothing_is_found_the_answer_abstains_and_no_model_is_asked(
    asked: dict[str, Any], chat: ChatServer, connect: Callable[..., Any], indexed: Path
) -> None:
    async with connect() as client:
        answer = await client.call_tool("ollama_corpus_answer", {"corpus": "notes", **asked})
    result = result_of("corpus_answer", answer)
    assert (result["answer"], result["citations"], result["abstained"]) == ("", [], True)
    assert result["retrieval"]["weak"] is True
    assert "no model was asked" in result["coverage_notes"][0]
    assert answer.content[0].text.startswith("No answer")
    assert chat.asked == []


async def test_answers_that_a_language_model_is_slow_with_hold_up_no_search(
    chat: ChatServer, connect: Callable[..., Any], indexed: Path
) -> None:
    gate, asked = threading.Event(), {"corpus": "notes", "question": "keys?", "mode": "lexical"}

    def say(model: str, prompt: str) -> str:
        gate.wait(20)
        return json.dumps({"answerable": False, "answer": "", "gaps": ""})

    chat.say = say
    async with connect() as client:
        with anyio.fail_after(20):
            async with anyio.create_task_group() as group:
                for _ in range(30):
                    group.start_soon(client.call_tool, "corpus_answer", asked)
                found = await client.call_tool("corpus_search", {"corpus": "notes", "query": "keys"})
                gate.set()
    assert result_of("corpus_search", found)["hits"]


async def test_without_a_language_model_an_answer_is_refused_with_the_remedy(
    connect: Callable[..., Any], indexed: Path
) -> None:
    async with connect() as client:
        answer = await client.call_tool("corpus_answer", {"corpus": "notes", "question": "keys?"})
    assert error_of(answer)["code"] == "CONFIG_INVALID"


# -- names from before tamis ------------------------------------------------------------------------------


@pytest.mark.parametrize("compat", [False, True])
async def test_a_call_under_a_seeds_name_is_answered_in_either_mode(
    compat: bool, connect: Callable[..., Any], indexed: Path
) -> None:
    async with connect(compat=compat) as client:
        answer = await client.call_tool("ollama_corpus_search", {"corpus": "notes", "query": "backups"})
        ranked = await client.call_tool("vant_rerank", {"query": "zebra", "docs": ["a horse", "a zebra"]})
    assert result_of("ollama_corpus_search", answer)["hits"][0]["path"] == str(indexed / "backups.md")
    result = result_of("vant_rerank", ranked)
    assert result["query"] == "zebra"
    assert [item["content"] for item in result["results"]] == ["a zebra", "a horse"]
