"""Words, and the forms under which they are indexed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamis.lexical.analysis import analysed, normalised
from tamis.lexical.folding import fold
from tamis.lexical.identifiers import parts
from tamis.lexical.lexicon import Lexicon
from tamis.lexical.words import MAX_CHARS, Forms


def forms(text: str, language: str = "english") -> Forms:
    """The forms of the only piece of ``text``."""
    ((_, found),) = analysed(normalised(text), language)
    return found


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("word", ["word"]),
        ("Word", ["Word"]),
        ("WORD", ["WORD"]),
        ("camelCase", ["camel", "Case"]),
        ("HTTPServer", ["HTTP", "Server"]),
        ("readHTTPFile2", ["read", "HTTP", "File", "2"]),
        ("snake_case", ["snake", "case"]),
        ("__init__", ["init"]),
        ("BRCA1", ["BRCA", "1"]),
        ("größeFaktor", ["größe", "Faktor"]),
        ("ÜberHTTPServer", ["Über", "HTTP", "Server"]),
        ("мойКласс", ["мой", "Класс"]),
        ("हिन्दी", ["हिन्दी"]),
        ("_", []),
    ],
)
def test_identifiers_fall_into_parts(word: str, expected: list[str]) -> None:
    assert parts(word) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Running", Forms(("run",), ("running",))),
        ("readFile", Forms(("read", "file", "readfil"), (), ("readfile",))),
        ("read_file", Forms(("read", "file", "readfil"), (), ("read_file",))),
        ("e-mail", Forms(("e", "mail", "email"), ("e", "mail"))),
        ("state-of-art", Forms(("state", "of", "art"), ("state", "of", "art"), ("state-of-art",))),
        ("1.2.3", Forms(("1", "2", "3"), ("1", "2", "3"), ("1.2.3",))),
        ("C++", Forms(("c",), ("c",), ("c++",))),
        ("it's", Forms(("it",), ("it",))),
        ("東京都", Forms(("東京", "京都"), ("東", "京", "都"))),
        ("水", Forms(("水",), ("水",))),
        ("ที่นี่มี", Forms(("ที่นี่", "นี่มี"), ("ที่นี่มี",))),
    ],
)
def test_a_piece_has_its_stems_its_plain_words_and_its_wholes(text: str, expected: Forms) -> None:
    assert forms(text) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("café", "cafe"),
        ("ñandú", "nandu"),
        ("øresund", "oresund"),
        ("straße", "strasse"),
        ("νέος", "νεος"),
        ("всё", "все"),
        ("мой", "мой"),
        ("हिन्दी", "हिन्दी"),
        ("が", "が"),
        ("한", "한"),
        ("שָׁלוֹם", "שלום"),
        ("مُحَمَّد", "محمد"),
        ("١٢٣", "123"),
        ("\u0640", "\u0640"),
    ],
)
def test_folding_takes_the_marks_that_writers_leave_out(word: str, expected: str) -> None:
    assert fold(word) == expected


@pytest.mark.parametrize(
    ("language", "word", "stem"),
    [
        ("english", "generalizations", "general"),
        ("german", "häuser", "haus"),
        ("french", "continuellement", "continuel"),
        ("spanish", "canciones", "cancion"),
        ("none", "running", "running"),
        ("english", "бегающий", "бега"),
    ],
)
def test_stemming_is_that_of_the_language_or_of_the_script(language: str, word: str, stem: str) -> None:
    assert forms(word, language).stems == (stem,)


def test_a_long_word_still_equals_only_itself() -> None:
    one, other = forms("a" * 100_000 + "b"), forms("a" * 100_000 + "c")
    assert one != other == forms("a" * 100_000 + "C")
    assert len(one.stems[0]) <= MAX_CHARS


@settings(max_examples=300)
@given(text=st.text(max_size=200), language=st.sampled_from(["english", "german", "turkish", "none"]))
def test_tokens_are_never_empty_and_have_no_space_within(text: str, language: str) -> None:
    for piece, each in analysed(normalised(text), language):
        for token in (*each.stems, *each.plain, *each.wholes):
            assert token.split() == [token]
            assert len(token) <= max(MAX_CHARS, len(piece) * 4)
            token.encode()  # no lone surrogates, which the engine does not take


@settings(max_examples=200)
@given(texts=st.lists(st.text(alphabet="aB_-.'+# 1é水ที่", max_size=30), max_size=8))
def test_what_a_lexicon_remembers_changes_nothing(texts: list[str]) -> None:
    lexicon = Lexicon("english")
    for text in [*texts, *texts]:
        fresh = [each for _, each in analysed(normalised(text), "english")]
        stems, surface = lexicon.body(normalised(text).split())
        assert stems.split() == [token for each in fresh for token in each.stems]
        assert sorted(surface.split()) == sorted(
            token for each in fresh for token in (*each.plain, *each.wholes)
        )
