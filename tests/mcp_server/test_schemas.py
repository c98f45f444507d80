"""What clients are told of the tools, held against the schemas of the systems that the tools come from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from tamis.errors import InputError
from tamis.mcp_server import tools
from tamis.mcp_server.arguments import read
from tamis.mcp_server.server import described

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).parent / "seeds"
SEEDS = {
    path.name.removesuffix(".input.json"): json.loads(path.read_text())
    for path in sorted(FOLDER.glob("*.json"))
}


def without_descriptions(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {
            key: without_descriptions(value)
            for key, value in schema.items()
            if not (key == "description" and isinstance(value, str))
        }
    return [without_descriptions(item) for item in schema] if isinstance(schema, list) else schema


@pytest.fixture(scope="module")
def own() -> dict[str, Any]:
    return {tool.name: tool for tool in described(compat=False)}


@pytest.fixture(scope="module")
def every() -> dict[str, Any]:
    return {tool.name: tool for tool in described(compat=True)}


@pytest.mark.parametrize("name", SEEDS)
def test_under_the_seeds_names_the_schemas_are_the_seeds(name: str, every: dict[str, Any]) -> None:
    assert without_descriptions(every[name].input_schema) == SEEDS[name]


@pytest.mark.parametrize("name", SEEDS)
def test_our_own_arguments_are_optional_additions_to_the_seeds(name: str, own: dict[str, Any]) -> None:
    schema = without_descriptions(own[tools.seed_tools()[name].name].input_schema)
    seed = SEEDS[name]
    assert schema.get("required", []) == seed.get("required", [])
    assert {key: schema["properties"][key] for key in seed["properties"]} == seed["properties"]
    assert {key for key in schema if key != "properties"} == {key for key in seed if key != "properties"}


@pytest.mark.shared
def test_the_copies_of_the_seeds_schemas_are_true(shared: Path) -> None:
    found = {
        path.name.removesuffix(".input.json"): json.loads(path.read_text())
        for path in (shared / "spec").glob("*.json")
    }
    assert found == SEEDS


def test_only_compat_lists_the_seeds_names(own: dict[str, Any], every: dict[str, Any]) -> None:
    assert list(own) == list(tools.MODULES)
    assert set(every) - set(own) == set(SEEDS)


def test_every_schema_is_one(every: dict[str, Any]) -> None:
    for tool in every.values():
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        jsonschema.Draft202012Validator.check_schema(tool.output_schema)
        assert tool.output_schema["type"] == "object"


def test_descriptions_are_short_and_every_argument_of_ours_has_one(own: dict[str, Any]) -> None:
    for tool in own.values():
        assert 80 < len(tool.description) < 420, tool.name
    described_ = [
        (tool.name, name, part)
        for tool in own.values()
        for name, part in tool.input_schema["properties"].items()
        if "description" not in part
    ]
    assert described_ == []


@pytest.mark.parametrize(
    ("name", "read_only", "destructive"),
    [
        ("corpus_search", True, False), ("corpus_get", True, False), ("corpus_rerank", True, False),
        ("corpus_list", True, False), ("corpus_health", True, False), ("corpus_amend_history", True, False),
        ("rerank", True, False), ("compress", True, False), ("refine", True, False), ("corpus_index", False, True), ("corpus_refresh", False, True),
        ("corpus_amend", False, True), ("corpus_answer", True, False),
    ],
)  # fmt: skip
def test_annotations_tell_what_a_tool_may_do(
    name: str, read_only: bool, destructive: bool, own: dict[str, Any]
) -> None:
    hints = own[name].annotations
    assert (hints.read_only_hint, hints.destructive_hint) == (read_only, destructive)
    assert hints.idempotent_hint is True
    assert hints.open_world_hint is False


def values(schema: dict[str, Any]) -> Iterator[Any]:
    """Values at and just beyond the limits of a property."""
    yield from (None, True, "x", "", [], {}, 3, 3.0, 3.5, "notes\n", ["a"], [""], "é" * 1000, "a" * 1001)
    for key, step in (("minimum", -1), ("maximum", 1)):
        if key in schema:
            yield from (schema[key], schema[key] + step)
    yield from schema.get("enum", [])


FULL = {
    "ollama_corpus_answer": {"corpus": "notes", "question": "keys?"},
    "ollama_corpus_search": {"corpus": "notes", "query": "keys"},
    "ollama_corpus_rerank": {
        "hits": [{"id": "1", "path": "/a", "score": 1.5, "chunk_index": 0}],
        "rerank_by": "recency",
    },
    "ollama_corpus_amend": {"corpus": "notes", "file_path": "/a", "new_content": "text"},
    "ollama_corpus_amend_history": {"corpus": "notes"},
    "ollama_corpus_health": {},
    "ollama_corpus_index": {"name": "notes", "paths": ["/a"]},
    "ollama_corpus_list": {},
    "ollama_corpus_refresh": {"name": "notes"},
    "vant_rerank": {"query": "keys", "docs": ["a"]},
}


def accepted(name: str, arguments: dict[str, Any]) -> bool:
    try:
        read(tools.seed_tools()[name].arguments, arguments)
    except InputError:
        return False
    return True


@pytest.mark.parametrize("name", SEEDS)
def test_what_the_seeds_accept_and_refuse_is_accepted_and_refused(name: str) -> None:
    seed = SEEDS[name]
    # JavaScript's $ is the end of the text; Python's may stand before a final newline, which a corpus's name never has.
    strict = json.loads(json.dumps(seed).replace("]+$", r"]+(?!\\n)$"))
    check = jsonschema.Draft202012Validator(strict)
    for key, part in seed["properties"].items():
        for value in values(part):
            arguments = {**FULL[name], key: value}
            assert accepted(name, arguments) is check.is_valid(arguments), (name, key, value)
        without = {other: value for other, value in FULL[name].items() if other != key}
        assert accepted(name, without) is check.is_valid(without), (name, key)


@pytest.mark.parametrize("value", ["id", "path", "score", "chunk_index", "preview", "heading_path", "title"])
def test_fields_of_hits_are_checked_as_the_seeds_do(value: str) -> None:
    name = "ollama_corpus_rerank"
    check = jsonschema.Draft202012Validator(SEEDS[name])
    for wrong in (None, 1, 1.5, 2.0, "", "x", ["x"], [1], {}, True, 2**53 - 1, 2**53, -(2**53)):
        arguments = {**FULL[name], "hits": [{**FULL[name]["hits"][0], value: wrong}]}
        assert accepted(name, arguments) is check.is_valid(arguments), (value, wrong)


def test_the_filter_is_checked_as_the_seeds_do() -> None:
    check = jsonschema.Draft202012Validator(SEEDS["ollama_corpus_search"])
    for asked in (
        {},
        {"path_glob": ""},
        {"path_glob": "*"},
        {"since": ""},
        {"since": None},
        {"since": "2026"},
        [],
        "x",
        None,
    ):
        arguments = {**FULL["ollama_corpus_search"], "filter": asked}
        assert accepted("ollama_corpus_search", arguments) is check.is_valid(arguments), asked


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ({"topk": 3}, "top_k"),
        ({"filter": {"path_globs": "*"}}, "filter.path_glob"),
        ({"preview_char": 1}, "preview_chars"),
    ],
)
def test_an_unknown_argument_is_refused_with_the_nearest_name(given: dict[str, Any], meant: str) -> None:
    with pytest.raises(InputError, match="unknown argument") as refused:
        read(tools.find("corpus_search").arguments, {"corpus": "notes", "query": "x", **given})
    assert f"did you mean {meant!r}?" in refused.value.hint


def test_a_refusal_names_the_argument_and_what_it_may_be() -> None:
    with pytest.raises(InputError) as refused:
        read(tools.find("corpus_search").arguments, {"corpus": "notes", "query": "x", "mode": "fuzzy"})
    assert refused.value.message.startswith("mode: ")
    assert refused.value.hint == "one of semantic, lexical, hybrid, fact, title_path"
