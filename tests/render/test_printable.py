"""Text of documents that is shown: no byte of it steers a terminal, no letter of it is lost."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.render import one_line, printable
from tamis.render.printable import whole_characters

ANYTHING = st.text(st.characters())  # surrogates too


@given(ANYTHING)
def test_nothing_that_steers_a_terminal_comes_through(text: str) -> None:
    kept = printable(text)
    assert all(unicodedata.category(letter) not in ("Cc", "Cs") or letter in "\n\t" for letter in kept)
    assert not set(kept) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@given(ANYTHING)
def test_shown_text_can_always_be_encoded(text: str) -> None:
    printable(text).encode()
    whole_characters(text).encode()


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs", "M"])))
def test_letters_digits_signs_and_spaces_of_every_script_stay(text: str) -> None:
    assert printable(text) == text


def test_an_escape_sequence_becomes_harmless_signs() -> None:
    assert printable("a\x1b[2Jb\x07") == "a␛[2Jb␇"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end_becomes_a_newline(end: str) -> None:
    assert printable(f"one{end}two") == "one\ntwo"


def test_a_line_is_one_line() -> None:
    assert one_line("  a\n\t b\u2028c\r\nd ") == "a b c d"


def test_a_byte_of_a_file_name_that_is_not_utf_8_is_spelled_out() -> None:
    name = b"caf\xe9.md".decode("utf-8", "surrogateescape")
    assert printable(name) == r"caf\xe9.md"
    assert whole_characters("\ud83d") == r"\ud83d"
