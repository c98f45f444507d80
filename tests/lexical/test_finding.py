"""What a query finds."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tamis.lexical import BM25, TITLE_WEIGHTS, TantivyIndex
from tests.lexical.documents import FIRST, document, fill, found

# A query, and the body of a document that it finds.
CASES = [
    ("running", "he runs every day"),
    ("naive cafe", "a naïve café"),
    ("NAÏVE", "naive"),
    ("read file", "def readHTTPFile(path)"),
    ("readHTTPFile", "calls readHTTPFile twice"),
    ("read_http_file", "calls readHttpFile twice"),
    ("http", "ReadHTTPFile"),
    ("javascript", "JavaScript"),
    ("JavaScript", "javascript"),
    ("snake case", "a snake_case_name"),
    ("kebab", "my-kebab-name"),
    ("email", "send an e-mail"),
    ("e-mail", "send an email"),
    ("C++", "written in C++."),
    ("c++", "modern C++17"),
    ("C#", "written in C#, mostly"),
    (".NET", "the .NET runtime"),
    ("1.2.3", "since version 1.2.3"),
    ("1.2.3", "tagged v1.2.3"),
    ("@scope/name", "npm install @scope/name"),
    ("node.js", "runs on Node.js"),
    ("__init__", "def __init__(self)"),
    ("self.stream.write", "self.stream.write(t)"),
    ("what's new", "nothing new"),
    ("don’t panic", "panic"),
    ("to be or not to be", "to be or not to be, that is the question"),
    ("the who", "who is on the stage"),
    ("½", "1⁄2"),
    ("fine", "ﬁne"),
    ("ABC", "ＡＢＣ"),
    ("co\u00adoperate", "cooperate"),
    ("\ufeffword", "word"),
    ("Straße", "die STRASSE"),
    ("øre", "10 ore"),
    ("👍", "well done 👍"),
    ("бегать", "он бегает"),
    ("все еще", "всё ещё"),
    ("مكتبة", "المكتبات"),
    ("محمد", "مُحَمَّد"),
    ("שלום", "שָׁלוֹם"),
    ("किताबें", "किताब"),
    ("١٢٣", "123"),
    ("東京", "東京タワーは高い"),
    ("京", "東京タワーは高い"),
    ("水", "水"),
    ("手机", "新的iPhone手机"),
    ("iphone", "新的iPhone手机"),
    ("학교", "학교에서"),
    ("ภาษา", "เขาพูดภาษาไทยได้"),
    ("ລາວ", "ພາສາລາວ"),
    ("ភាសា", "ភាសាខ្មែរ"),
    ("မြန်မာ", "မြန်မာဘာသာ"),
    ("x" * 100_000, "x" * 100_000),
    ("字" * 70_000, "字" * 70_000),
]


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> TantivyIndex:
    """A document for each case, numbered from 1, and one that no case is after."""
    index = TantivyIndex(tmp_path_factory.mktemp("index"))
    return fill(index, [*(body for _, body in CASES), "entirely different matters"])


@pytest.mark.parametrize("number", range(len(CASES)), ids=[repr(query[:30]) for query, _ in CASES])
def test_a_query_finds_the_document(cases: TantivyIndex, number: int) -> None:
    query, _ = CASES[number]
    assert found(cases, query, file_ids=[number + 1, len(CASES) + 1]) == [number + 1]


@pytest.mark.parametrize("query", ["", " ", "?!", "…", "\ud800", "\x00", "=> && ||", "\u200b\u00ad", "_ __"])
def test_a_query_without_a_word_finds_nothing(cases: TantivyIndex, query: str) -> None:
    assert found(cases, query) == []


def test_a_query_is_text_and_never_syntax(index: TantivyIndex) -> None:
    fill(index, ["word", "nothing of it"])
    for query in ("title:word", "word~2", "+word -word", '"word word"', "word^9", "nothing~ NOT word"):
        assert 1 in found(index, query)
    assert found(index, "wor*") == found(index, "[a TO z]") == found(index, "w?rd") == []


def test_function_words_do_not_outweigh_the_others(index: TantivyIndex) -> None:
    fill(index, ["what is it that you do when it is what it is", "rotate the keys", *["filler text"] * 5])
    assert found(index, "what is it that rotates") == [2]


def test_a_word_as_it_was_typed_comes_before_another_of_its_stem(index: TantivyIndex) -> None:
    fill(index, ["a generous gift", "the generic case", "generate it", "generation", *["filler text"] * 5])
    assert found(index, "generation")[0] == 4


def test_an_identifier_in_one_piece_comes_before_its_parts(index: TantivyIndex) -> None:
    fill(index, ["the user gets the id by name", "getUserById", *["other text"] * 5])
    assert found(index, "getUserById")[0] == 2


def test_names_that_code_defines_count_as_headings(index: TantivyIndex) -> None:
    fill(
        index, ["    parse_date(text)\n    return 1", "def parse_date(text):\n    return 1", "filler", "text"]
    )
    assert found(index, "parse date")[0] == 2


@pytest.mark.parametrize("field", ["title", "heading", "path", "body"])
def test_every_field_is_searched(index: TantivyIndex, field: str) -> None:
    index.apply(FIRST, [document(1, "nothing"), document(2, **{field: "src/needle.py"})], [])  # pyright: ignore[reportArgumentType]
    assert found(index, "needle") == [2]


def test_a_field_of_no_weight_is_left_out(index: TantivyIndex) -> None:
    index.apply(FIRST, [document(1, "needle"), document(2, "hay", title="needle")], [])
    hits = index.search("needle", 10, weights=TITLE_WEIGHTS, bm25=BM25)
    assert [hit.id for hit in hits] == [2]


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(st.text(max_size=100), min_size=20, max_size=60))
def test_any_text_can_be_indexed_and_finds_itself(index: TantivyIndex, texts: list[str]) -> None:
    index.clear()
    index.apply(
        FIRST, [document(n, text, title=text, heading=text, path=text) for n, text in enumerate(texts)], []
    )
    for number, text in enumerate(texts):
        is_word = any(character.isascii() and character.isalnum() for character in text)
        assert found(index, text, file_ids=[number]) == [number] or not is_word


@settings(max_examples=200, deadline=None)
@given(query=st.text(max_size=100))
def test_no_query_fails(cases: TantivyIndex, query: str) -> None:
    found(cases, query)
