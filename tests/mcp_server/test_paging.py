"""Replies stay short, and nothing is lost by it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.mcp_server.paging import LONGEST_STRING, divide
from tamis.mcp_server.tokens import estimate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import tamis

ITEMS = st.one_of(
    st.integers(), st.text(max_size=40), st.dictionaries(st.sampled_from("abc"), st.text(max_size=20))
)
LONG = st.builds(lambda text, times: text * times, st.text(max_size=12), st.integers(0, 300))
RESULTS = st.one_of(
    st.lists(ITEMS, max_size=12),
    st.dictionaries(
        st.sampled_from(["added", "deleted", "text", "name", "lines", "count"]),
        st.one_of(st.lists(ITEMS, max_size=8), LONG, st.integers()),
    ),
)


def pages(result: Any, max_tokens: int) -> Iterator[Any]:
    divided = divide(result)
    start = 0
    while True:
        page, start, _ = divided.page(start, max_tokens)
        yield page
        if start >= len(divided.units):
            return


def joined(parts: list[Any]) -> Any:
    """The pages put together again by hand: lists and text one after the other, all else as on each page."""
    if isinstance(parts[0], list):
        return [item for part in parts for item in part]
    whole = dict(parts[0])
    for part in parts[1:]:
        for name, value in part.items():
            if (isinstance(value, list) and name != "lines") or (name == "text" and isinstance(value, str)):
                whole[name] = whole[name] + value
            else:
                assert whole[name] == value
    return whole


@given(RESULTS, st.integers(1, 2000))
def test_the_pages_put_together_are_the_result(result: Any, max_tokens: int) -> None:
    assert joined(list(pages(result, max_tokens))) == result


@given(st.lists(st.text(max_size=60), max_size=60), st.integers(50, 500))
def test_a_page_is_as_long_as_was_asked_and_no_longer_by_more_than_it_must(
    items: list[str], max_tokens: int
) -> None:
    for page in pages({"items": items}, max_tokens):
        alone = sum(estimate(item) for item in page["items"])
        assert alone <= max_tokens or len(page["items"]) == 1


def test_a_string_in_a_list_that_no_page_could_hold_is_cut() -> None:
    (page,) = pages([{"title": "x" * 100_000}], 5000)
    assert len(page[0]["title"]) == LONGEST_STRING
    assert page[0]["title"].endswith("…")


def test_what_fits_is_not_cut_however_long_it_is() -> None:
    (page,) = pages({"results": [{"content": "x" * 9_000}]}, 5000)
    assert len(page["results"][0]["content"]) == 9_000


@given(
    st.recursive(
        st.text(max_size=50),
        lambda inner: st.lists(inner, max_size=20) | st.dictionaries(st.text(max_size=5), inner),
    )
)
def test_any_item_fits_the_shortest_reply(item: Any) -> None:
    big = {"hits": [{"text": "p" * 50_000, "tags": [item] * 50, "more": {"title": "t" * 50_000}}]}
    page, end, cut = divide(big).page(0, 1200)
    assert (end, cut) == (1, True)
    assert estimate(json.dumps(page["hits"][0]["text"])) < 500


@pytest.mark.parametrize(
    ("text", "least"), [("", 0), ("word " * 100, 100), ("検索" * 100, 200), ("🔎" * 10, 10), ('{"a": 1}', 2)]
)
def test_tokens_are_never_counted_too_few(text: str, least: int) -> None:
    # English has at least 4 characters a token, Han about 1; both are counted high.
    assert estimate(text) >= least


# -- through the client -----------------------------------------------------------------------------------


@pytest.mark.anyio
async def test_many_hits_come_in_parts_under_a_cursor(
    connect: Callable[..., Any], library: tamis.Library, notes: Path
) -> None:
    (notes / "many.md").write_text(
        "".join(f"# Part {n}\n\nThe zebra number {n} has stripes.\n\n" for n in range(60))
    )
    library.index("zoo", [notes], chunk_chars=100, chunk_overlap=0)
    asked = {"corpus": "zoo", "query": "zebra", "mode": "lexical", "top_k": 50}
    found: list[str] = []
    async with connect() as client:
        whole = (await client.call_tool("corpus_search", {**asked, "max_tokens": 100_000})).structured_content
        assert "next_cursor" not in whole
        part = await client.call_tool("corpus_search", {**asked, "max_tokens": 1500})
        while True:
            data = part.structured_content
            assert 0 < len(data["result"]["hits"]) < 20
            assert estimate(part.content[0].text) < 2000
            assert data["result"]["total_chunks"] == whole["result"]["total_chunks"]
            found += [hit["id"] for hit in data["result"]["hits"]]
            if "next_cursor" not in data:
                break
            assert data["next_cursor"] in part.content[0].text
            part = await client.call_tool(
                "corpus_search", {**asked, "max_tokens": 1500, "cursor": data["next_cursor"]}
            )
    assert found == [hit["id"] for hit in whole["result"]["hits"]]


@pytest.mark.anyio
async def test_a_cursor_alone_brings_the_rest_from_its_own_tool_only(
    connect: Callable[..., Any], indexed: Path
) -> None:
    asked = {
        "corpus": "notes",
        "query": "keys backups vault spawns",
        "text": True,
        "max_tokens": 500,
        "mode": "lexical",
    }
    async with connect() as client:
        first = (await client.call_tool("corpus_search", asked)).structured_content
        cursor = first["next_cursor"]
        rest = (await client.call_tool("corpus_search", {"cursor": cursor})).structured_content
        other = await client.call_tool("corpus_list", {"cursor": cursor})
    whole = [hit["id"] for hit in (*first["result"]["hits"], *rest["result"]["hits"])]
    assert len(whole) == len(set(whole)) > len(first["result"]["hits"])
    assert other.is_error
    assert other.structured_content["code"] == "CURSOR_EXPIRED"
    assert "corpus_search" in other.structured_content["hint"]


@pytest.mark.anyio
async def test_a_long_document_comes_in_parts_that_make_up_its_text(
    connect: Callable[..., Any], library: tamis.Library, notes: Path
) -> None:
    long = notes / "long.md"
    long.write_text("# Long\n\n" + "".join(f"Sentence number {n} of the long text.\n" for n in range(3000)))
    library.index("notes", [notes])
    asked: dict[str, Any] = {"target": str(long)}
    text, parts = "", 0
    async with connect() as client:
        while True:
            answer = await client.call_tool("corpus_get", asked)
            assert estimate(answer.content[0].text) < 12_000, (
                "below what clients refuse, with the structure beside it"
            )
            text += answer.structured_content["result"]["text"]
            parts += 1
            if (cursor := answer.structured_content.get("next_cursor")) is None:
                break
            asked["cursor"] = cursor
    assert parts > 2
    assert text.strip() == long.read_text().strip()


@pytest.mark.anyio
async def test_reports_with_many_paths_come_in_parts(
    connect: Callable[..., Any], library: tamis.Library, notes: Path
) -> None:
    for number in range(120):
        (notes / f"a-file-with-a-long-name-{number:04d}.md").write_text(f"# {number}\n\ntext\n")
    library.index("notes", [notes], dense=False)
    seen: list[str] = []
    asked: dict[str, Any] = {"name": "notes", "dense": False, "max_tokens": 800}
    async with connect() as client:
        while True:
            data = (await client.call_tool("corpus_refresh", asked)).structured_content
            seen += data["result"]["unchanged"]
            if "next_cursor" not in data:
                break
            asked["cursor"] = data["next_cursor"]
    assert len(seen) == len(set(seen)) == 123
