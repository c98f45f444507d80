"""Bytes to text: Unicode exactly, older encodings as well as can be told, damage never silently."""

from __future__ import annotations

import codecs
import os
import random
import re
import tarfile
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tamis.errors import UndecodableError
from tamis.readers.decoding import decode

if TYPE_CHECKING:
    from pathlib import Path

# Every character that UTF-8 can hold but NUL; a leading U+FEFF would be taken for a mark.
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")).filter(
    lambda text: not text.startswith("\ufeff")
)
RUSSIAN = "Все люди рождаются свободными и равными в своем достоинстве и правах.\nОни наделены разумом и совестью.\n"
GREEK = "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.\n"
FRENCH = (
    "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison.\n"
)
FINNISH = (
    "Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan. Heille on annettu järki.\n"
)
CZECH = (
    "Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem a svědomím.\n"
)
JAPANESE = "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。\n"
CHINESE = "人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,并应以兄弟关系的精神相对待。\n"
KOREAN = "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.\n"


@given(texts)
def test_utf8_comes_back_as_it_was(text: str) -> None:
    assume(b"\x1b$" not in text.encode())
    assert decode(text.encode()) == (text, "utf-8")


@given(
    texts,
    st.sampled_from(
        [
            (codecs.BOM_UTF8, "utf-8", "utf-8-sig"),
            (codecs.BOM_UTF16_LE, "utf-16-le", "utf-16"),
            (codecs.BOM_UTF16_BE, "utf-16-be", "utf-16"),
            (codecs.BOM_UTF32_LE, "utf-32-le", "utf-32"),
            (codecs.BOM_UTF32_BE, "utf-32-be", "utf-32"),
        ]
    ),
)
def test_a_byte_order_mark_decides_and_is_dropped(text: str, encoding: tuple[bytes, str, str]) -> None:
    mark, codec, name = encoding
    data = mark + text.encode(codec)
    assert decode(data) == (text, name)
    assert data.decode(name) == text


@given(
    st.text("abcdefghij ABC.,é\r\n", min_size=2),
    st.sampled_from(["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]),
)
def test_wide_text_without_a_mark_is_recognised(text: str, encoding: str) -> None:
    assume(text.isascii())
    assert decode(text.encode(encoding)) == (text, encoding)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", [CHINESE, JAPANESE, RUSSIAN, FRENCH, "😀 smile\n"])
def test_wide_text_in_other_scripts_is_recognised(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == (text, encoding)


@pytest.mark.parametrize(
    "text", ["a\r\nb\r\n", "a\rb\r", "a\r\nb\nc\rd", "\n\n\n", "", "a\x0bb\x0cc\x1c\x85\u2028d"]
)
def test_line_ends_stay_as_they_are(text: str) -> None:
    assert decode(text.encode()).text == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8_r"),
        (RUSSIAN, "cp866"),
        (GREEK, "iso8859_7"),
        (FRENCH, "latin_1"),
        (FRENCH, "cp1252"),
        (FINNISH, "latin_1"),
        (CZECH, "cp1250"),
        (CZECH, "iso8859_2"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"),
        (JAPANESE, "iso2022_jp"),
        (CHINESE, "gb18030"),
        (KOREAN, "euc_kr"),
        ("# Café à Zürich\n", "latin_1"),
        ("déjà vu, naïve", "latin_1"),
        ("“Quoted” – with an em—dash…", "cp1252"),
        (r"C:\temp は日本語のパスです。バックスラッシュは円記号ではありません。", "cp932"),
    ],
)
def test_older_encodings_are_told_apart(text: str, encoding: str) -> None:
    decoded = decode(text.encode(encoding))
    assert decoded.text == text
    assert text.encode(encoding).decode(decoded.encoding) == text


def test_a_declaration_is_believed() -> None:
    for text, encoding in [
        ('<?xml version="1.0" encoding="iso-8859-2"?><a>žluť</a>', "iso8859_2"),
        ("<html><meta charset=windows-1251><p>Да</p></html>", "cp1251"),
        ("# -*- coding: koi8-r -*-\nx = 'да'\n", "koi8_r"),
    ]:
        assert decode(text.encode(encoding)).text == text


def test_comments_in_ascii_code_are_enough() -> None:
    code = "def function(argument):\n    return argument.method(1, 2, 3)\n" * 50
    text = f"{code}# {RUSSIAN.strip()}\n{code}"
    assert decode(text.encode("cp1251")).text == text


def test_one_old_line_far_down_a_long_ascii_text_is_enough() -> None:
    text = "plain ascii line\n" * 20_000 + RUSSIAN + "plain ascii line\n" * 20_000
    assert decode(text.encode("cp1251")).text == text


def test_one_old_sentence_in_a_line_of_a_megabyte_is_enough() -> None:
    text = "ascii " * 200_000 + FRENCH.replace("\n", " ") + "ascii " * 200_000
    assert decode(text.encode("latin_1")).text == text


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"# t\n\nabc\0def\n", "NUL bytes, the first at byte 8"),
        (b"# title\n\nabc \0def\n\0", "NUL bytes"),
        (codecs.BOM_UTF16_LE + "a\0b".encode("utf-16-le"), "NUL characters, the first in line 1"),
        (codecs.BOM_UTF16_LE + b"a\0b", "damaged UTF-16"),
        (codecs.BOM_UTF16_LE + b"a\0\x00\xd8b\0", "damaged UTF-16: illegal UTF-16 surrogate at byte 4"),
        (codecs.BOM_UTF8 + b"a\xff", "damaged UTF-8: invalid start byte at byte 4"),
        (b"# t\n\n\xed\xa0\x80 bad \xff\xfe bytes\n", "damaged UTF-8: invalid continuation byte at byte 5"),
        ((RUSSIAN * 3).encode()[:-2] + b"\xff\n", "damaged UTF-8"),
        ("déjà vu — naïve".encode() + b"\xe9 caf", "damaged UTF-8"),
    ],
)
def test_what_is_damaged_fails_and_says_where(data: bytes, reason: str) -> None:
    with pytest.raises(UndecodableError, match=re.escape(reason)) as caught:
        decode(data)
    assert caught.value.code == "SOURCE_UNDECODABLE"


def test_random_bytes_are_no_text() -> None:
    with pytest.raises(UndecodableError):
        decode(random.Random(1).randbytes(5_000))


@given(st.binary(max_size=200))
def test_any_bytes_make_storable_text_or_a_typed_error(data: bytes) -> None:
    try:
        text, encoding = decode(data)
    except UndecodableError:
        return
    text.encode()
    assert "\0" not in text
    assert data.decode(encoding) == text


# -- the collection of texts in old encodings -------------------------------------------------------------

NAMED = re.compile(
    r"(windows-\d+|iso-8859-\d+|EUC-\w\w|KOI8-R|MacCyrillic|IBM855|SHIFT_JIS|CP932|UTF-16LE|UTF-16|utf-8|iso-2022-jp)(?=[-_])"
)


@pytest.mark.shared
def test_the_collected_texts_in_old_encodings_decode_as_their_names_say(shared: Path) -> None:
    wrong: list[str] = []
    with tarfile.open(shared / "corpora" / "nasty.tar.xz") as archive:
        members = [
            member for member in archive if member.isfile() and NAMED.match(os.path.basename(member.name))
        ]
        for member in members:
            found = NAMED.match(os.path.basename(member.name))
            content = archive.extractfile(member)
            assert found is not None
            assert content is not None
            data = content.read()
            if decode(data).text != data.decode(found[1]).removeprefix("\ufeff"):
                wrong.append(member.name)
    assert len(members) == 59
    assert wrong == []
