"""What holds for every document: offsets, lines, coverage, order, sizes, whole characters."""

from __future__ import annotations

from itertools import pairwise

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from tamis import chunking
from tamis.errors import InputError
from tamis.types import Chunk, ChunkedDocument, Document, Kind

kinds: st.SearchStrategy[Kind] = st.sampled_from(["markdown", "rst", "text", "code"])

PIECES = [
    *(
        "# ",
        "## ",
        "###### ",
        "a",
        "Word",
        "some words here. ",
        "Next sentence! ",
        "Mr. X went. ",
        "e.g. this ",
    ),
    *(
        "\n",
        "\n\n",
        "\n \n",
        "\r\n",
        "\r\n\r\n",
        "\r",
        "\r\r",
        "\t",
        "  ",
        "    ",
        "\v",
        "\f",
        "\u2028",
        "\xa0",
    ),
    *(
        "```\n",
        "~~~\n",
        "    code\n",
        "- item ",
        "1. one ",
        "> quote ",
        "---\n",
        "===\n",
        "+++\n",
        "title: x\n",
    ),
    *("|a|b|\n", "|-|-|\n", "<div>\n", "<!-- c -->", "[a]: b\n", "* * a\n", "\0", "\ufeff", "\u200b"),
    *("x" * 150, "word" * 5 + " ", "e\u0301", " \u0308", "👨\u200d👩\u200d👧", "🇫🇷", "\ud83d", "\ude00"),
    *("日本語。", "テキスト、", "สวัสดีครับ", "한국어 문장. ", "\u1100\u1161", "क्षि ", "!\ufe0f"),
    *("::\n\n", ".. code::\n\n", ".. note:: n\n", "Title\n=====\n", "=====\n", ">>> a\n", "+--+\n"),
    *("def foo():\n", "class Bar:\n", "fn main() {\n", "}\n", "@dec\n", "// c\n"),
]


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Scraps of all that scanners look for; each text of a few kinds, so that runs of one kind come about."""
    pool = draw(st.lists(st.sampled_from(PIECES), min_size=1, max_size=20))
    scraps = draw(st.lists(st.tuples(st.sampled_from(pool), st.sampled_from([1, 1, 2, 7])), max_size=120))
    return "".join(scrap * times for scrap, times in scraps)


sizes = st.sampled_from([(100, 0), (100, 99), (100, 30), (200, 40), (800, 100)])
laws = settings(max_examples=100, deadline=None)


def chunked(text: str, kind: Kind, **sizes: int) -> ChunkedDocument:
    return chunking.chunk(Document("folder/name", text, kind, content_hash=""), **sizes)


def chunks_of(text: str, kind: Kind, size: tuple[int, int]) -> tuple[Chunk, ...]:
    return chunked(text, kind, chunk_chars=size[0], chunk_overlap=size[1]).chunks


def line_number(text: str, offset: int) -> int:
    before = text[:offset]
    return (
        1
        + before.count("\n")
        + before.count("\r")
        - before.count("\r\n")
        - (text[offset - 1 : offset + 1] == "\r\n")
    )


@laws
@given(texts(), kinds, sizes)
def test_a_chunk_is_the_text_between_its_offsets_and_knows_its_lines(
    text: str, kind: Kind, size: tuple[int, int]
) -> None:
    for chunk in chunks_of(text, kind, size):
        assert chunk.text == text[chunk.start : chunk.end]
        assert chunk.lines == (line_number(text, chunk.start), line_number(text, chunk.end - 1))


@laws
@given(texts(), kinds, sizes)
def test_every_character_but_whitespace_is_in_a_chunk(text: str, kind: Kind, size: tuple[int, int]) -> None:
    covered: set[int] = set()
    for chunk in chunks_of(text, kind, size):
        assert chunk.text.strip()
        covered.update(range(chunk.start, chunk.end))
    assert [text[at] for at in range(len(text)) if at not in covered and not text[at].isspace()] == []


@laws
@given(texts(), kinds, sizes)
def test_chunks_come_in_reading_order_and_overlap_no_more_than_allowed(
    text: str, kind: Kind, size: tuple[int, int]
) -> None:
    chunks = chunks_of(text, kind, size)
    assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
    for before, after in pairwise(chunks):
        assert before.start < after.start
        assert before.end < after.end
        assert before.end - after.start <= size[1]
        if after.start < before.end:
            assert after.heading_path == before.heading_path


@laws
@given(texts(), kinds, sizes)
def test_only_code_and_single_graphemes_are_longer_than_asked(
    text: str, kind: Kind, size: tuple[int, int]
) -> None:
    for chunk in chunks_of(text, kind, size):
        longest = 2 * size[0] if chunk.type == "code" and kind in ("markdown", "rst") else size[0]
        assert len(chunk.text) <= longest or len(regex.findall(r"\X", chunk.text)) == 1


@laws
@given(texts(), kinds, sizes)
def test_no_grapheme_and_no_surrogate_pair_is_broken(text: str, kind: Kind, size: tuple[int, int]) -> None:
    pattern = regex.compile(r"[\ud800-\udbff][\udc00-\udfff]|\X")
    boundaries = {match.start() for match in pattern.finditer(text)} | {len(text)}
    for chunk in chunks_of(text, kind, size):
        assert {chunk.start, chunk.end} <= boundaries


@laws
@given(
    st.lists(st.sampled_from(["a", "bc", "word", "longer-word", "x" * 99, "1.5", "don't", "été"])),
    kinds,
    sizes,
)
def test_no_word_that_fits_is_broken(words: list[str], kind: Kind, size: tuple[int, int]) -> None:
    for chunk in chunks_of(" ".join(words), kind, size):
        assert set(chunk.text.split()) <= set(words)


@given(texts(), kinds)
def test_the_same_text_gives_the_same_chunks(text: str, kind: Kind) -> None:
    assert chunked(text, kind) == chunked(text, kind)


@pytest.mark.parametrize("kind", ["markdown", "rst", "text", "code"])
@pytest.mark.parametrize("text", ["", " ", "\n\n\r\n\t", "\u2028\xa0\n" * 50, "\n" * 5000])
def test_a_blank_document_has_no_chunks(text: str, kind: Kind) -> None:
    assert chunked(text, kind).chunks == ()


@pytest.mark.parametrize(
    ("chars", "overlap"), [(99, 0), (8001, 0), (800, -1), (8000, 4001), (100, 100), (200, 300), (-1, 0)]
)
def test_sizes_out_of_bounds_are_refused_with_a_hint(chars: int, overlap: int) -> None:
    with pytest.raises(InputError) as caught:
        chunking.chunk(Document("a", "text", "text", ""), chunk_chars=chars, chunk_overlap=overlap)
    assert caught.value.code == "SCHEMA_INVALID"
    assert "chunk_" in caught.value.hint


@pytest.mark.parametrize(("chars", "overlap"), [(100, 0), (100, 99), (8000, 4000)])
def test_sizes_at_their_bounds_are_taken(chars: int, overlap: int) -> None:
    assert len(chunked("text", "text", chunk_chars=chars, chunk_overlap=overlap).chunks) == 1
