"""Documents: their kind, language, hash and whether a machine made them."""

from __future__ import annotations

import hashlib
import random
import string
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tamis.errors import BinaryError, InputError, UndecodableError, UnreadableError
from tamis.readers import read, read_text, walk
from tamis.readers.registry import READERS, reader_for
from tests.readers.trees import real

if TYPE_CHECKING:
    from pathlib import Path

    from tamis.types import Document


def document(folder: Path, name: str, content: bytes | str) -> Document:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    (source,) = walk([str(path)], allowed_roots=[real(folder)])
    return read(source)


def test_a_document_has_the_files_text_hash_and_stat(tmp_path: Path) -> None:
    content = "\ufeff# Tïtle\r\n\r\nbody\r".encode()
    found = document(tmp_path, "a.md", content)
    assert found.path == real(tmp_path / "a.md")
    assert found.text == "# Tïtle\r\n\r\nbody\r"
    assert found.content_hash == hashlib.sha256(content).hexdigest()
    assert found.stat is not None
    assert found.stat.size == len(content)
    assert found.stat.mtime_ns == (tmp_path / "a.md").stat().st_mtime_ns


@pytest.mark.parametrize(
    ("name", "kind", "language"),
    [
        ("a.md", "markdown", None),
        ("UPPER.MD", "markdown", None),
        ("a.mdx", "markdown", None),
        ("a.rst", "rst", None),
        ("a.rst.txt", "rst", None),
        ("a.txt", "text", None),
        ("a.b.txt", "text", None),
        ("README", "text", None),
        ("LICENSE", "text", None),
        ("a.unknown", "text", None),
        ("a.csv", "text", None),
        ("a.html", "text", None),
        ("a.log", "text", None),
        ("a.tex", "text", None),
        ("a.py", "code", "python"),
        ("a.test.js", "code", "javascript"),
        ("a.d.ts", "code", "typescript"),
        ("a.toml", "code", "toml"),
        ("a.yaml", "code", "yaml"),
        ("a.json", "code", "json"),
        ("a.rs", "code", "rust"),
        ("Makefile", "code", "make"),
        ("Dockerfile", "code", "dockerfile"),
        ("CMakeLists.txt", "code", "cmake"),
        ("a.vhd", "code", "vhdl"),
        (".gitconfig", "code", "ini"),
        (".profile", "code", "bash"),
        (".md", "text", None),
        ("md", "text", None),
    ],
)
def test_the_name_tells_the_kind_and_the_language(
    tmp_path: Path, name: str, kind: str, language: str | None
) -> None:
    for found in (document(tmp_path, name, "x\n"), read_text(f"/any/{name}", "x\n")):
        assert (found.kind, found.language) == (kind, language)


@pytest.mark.parametrize(
    ("first_line", "language"),
    [
        ("#!/bin/sh", "bash"),
        ("#!/usr/bin/env python3.12", "python"),
        ("#! /usr/bin/python3 -u", "python"),
        ("#!/usr/bin/env -S LANG=C node --harmony", "javascript"),
        ("#!/opt/none/such", None),
        ("#!", None),
    ],
)
def test_a_file_without_a_telling_name_is_code_when_it_asks_for_an_interpreter(
    tmp_path: Path, first_line: str, language: str | None
) -> None:
    found = document(tmp_path, "tool", f"{first_line}\nx\n")
    assert (found.kind, found.language) == ("code", language)
    assert read_text("/any/tool", found.text).kind == "code"


def test_every_suffix_and_name_has_one_reader() -> None:
    suffixes = [suffix for reader in READERS for suffix in reader.suffixes]
    names = [name for reader in READERS for name in reader.names]
    assert len(suffixes) == len(set(suffixes))
    assert len(names) == len(set(names))
    assert all(claim == claim.lower() for claim in (*suffixes, *names))
    for reader in READERS:
        assert all(reader_for(f"/a/x{suffix}") is reader for suffix in reader.suffixes)
        assert all(reader_for(f"/a/{name}") is reader for name in reader.names)


# -- binary files -----------------------------------------------------------------------------------------

BINARY = {
    "nul": b"abc\0def",
    "pdf": b"%PDF-1.7\n% no zero byte in the head",
    "zip": b"PK\x03\x04abc",
    "gzip": b"\x1f\x8b\x08abc",
    "random": random.Random(7).randbytes(4_000).replace(b"\0", b"\1"),
}


@pytest.mark.parametrize("content", BINARY.values(), ids=BINARY.keys())
def test_a_file_of_unknown_name_and_binary_content_is_binary(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(BinaryError) as caught:
        document(tmp_path, "unknown", content)
    assert caught.value.code == "SOURCE_BINARY"


def test_a_file_that_should_be_text_by_its_name_and_is_not_fails(tmp_path: Path) -> None:
    with pytest.raises(UndecodableError):
        document(tmp_path, "a.md", BINARY["nul"])
    with pytest.raises(UndecodableError):
        document(tmp_path, "a.log", BINARY["random"])


def test_a_file_on_which_a_library_breaks_is_one_unreadable_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise LookupError("unknown encoding: cp037")

    monkeypatch.setattr("chardet.detect", broken)
    with pytest.raises(
        UnreadableError, match=r"a\.md: its reader broke: LookupError: unknown encoding: cp037"
    ):
        document(tmp_path, "a.md", "façade".encode("latin-1"))


@pytest.mark.parametrize(
    "content", ["plain", "tabs\tand\x0cpages", "\x1b[1mcolour\x1b[0m", "N\bNA\bAM\bME\bE", "", "é"]
)
def test_text_under_an_unknown_name_is_read(tmp_path: Path, content: str) -> None:
    assert document(tmp_path, "unknown", content).text == content


def test_marked_wide_text_under_an_unknown_name_is_read(tmp_path: Path) -> None:
    assert document(tmp_path, "unknown", "wide".encode("utf-16")).text == "wide"


# -- text that never was a file ---------------------------------------------------------------------------


def test_a_text_at_hand_has_the_hash_of_its_utf8() -> None:
    found = read_text("/any/a.md", "# é\r\n")
    assert (found.path, found.text, found.encoding, found.stat) == ("/any/a.md", "# é\r\n", "utf-8", None)
    assert found.content_hash == hashlib.sha256("# é\r\n".encode()).hexdigest()


def test_a_text_at_hand_equals_the_file_that_holds_it(tmp_path: Path) -> None:
    there = document(tmp_path, "a.py", "x = 1\n")
    here = read_text(there.path, there.text)
    assert (here.text, here.kind, here.language, here.content_hash) == (
        there.text,
        there.kind,
        there.language,
        there.content_hash,
    )


@pytest.mark.parametrize("text", ["a\0b", "lone \ud800 surrogate"])
def test_a_text_that_cannot_be_stored_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_text("/any/a.md", text)


def test_reading_utf8_and_matching_globs_import_no_more_than_they_need() -> None:
    script = (
        "import sys, tamis.readers.globs\n"
        "assert 'tamis.readers.walking' not in sys.modules and 'hashlib' not in sys.modules\n"
        "from tamis.readers import read_text, walk\n"
        "read_text('/a.md', 'é')\n"
        "assert not {'chardet', 'numpy', 'tamis.readers.legacy'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


# -- machine-made -----------------------------------------------------------------------------------------

BASE64 = string.ascii_letters + string.digits + "+/"
JAVASCRIPT = 'function a(b,c){return b.d(c)?e:{f:[1,2,"g"],h:!0}};var i=a(j,k);'
PROSE = "The quick brown fox jumps over the lazy dog, and the dog sleeps on. "
TRANSCRIPT = "so what we did then was to move all of the data over to the new machine "
CHINESE = "人人生而自由,在尊严和权利上一律平等。"


def dump(width: int, chars: int) -> str:
    chosen = random.Random(3)
    return "".join("".join(chosen.choices(BASE64, k=width)) + "\n" for _ in range(chars // width))


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.js", JAVASCRIPT * 2_000, True),
        ("a.js", (JAVASCRIPT * 100 + "\n") * 20, True),
        ("a.js", (JAVASCRIPT + "\n") * 2_000, False),
        ("a.js", JAVASCRIPT * 900, False),  # below 64 Ki characters
        ("a.txt", "a" * 1_000_000, True),
        ("a.md", f"# img\n\n![x](data:image/png;base64,{'QUJD' * 200_000})\n", True),
        ("a.txt", dump(76, 100_000), True),
        ("a.txt", dump(64, 100_000), True),
        ("a.md", PROSE * 4_000, False),
        ("a.md", (PROSE * 100 + "\n\n") * 100, False),
        ("a.txt", TRANSCRIPT * 3_000, False),
        ("a.txt", CHINESE * 10_000, False),
        ("a.md", "\n".join([PROSE * 3] * 1_000) + f"\n![x](data:image/png;base64,{'QUJD' * 5_000})\n", False),
        ("a.json", "[" + '{"id":12345,"v":[1,2,3]},' * 10_000 + "{}]", True),
        ("package-lock.json", "{}", True),
        ("poetry.lock", "x", True),
        ("app.min.js", "x", True),
        ("a.md", "", False),
    ],
)
def test_machine_made_text_is_told_from_prose(name: str, text: str, expected: bool) -> None:
    assert read_text(f"/any/{name}", text).machine_made is expected


@pytest.mark.timeout(20)
@pytest.mark.parametrize("line", ["a" * 4_999, "a b " * 1_249, "+" * 4_999])
def test_long_lines_just_below_the_limit_take_no_longer_than_others(line: str) -> None:
    read_text("/any/a.txt", f"{line}\n" * 2_000)


def test_carriage_returns_end_lines() -> None:
    assert not read_text("/any/a.md", f"{PROSE}\r" * 2_000).machine_made
    assert not read_text("/any/a.js", f"{JAVASCRIPT}\r" * 2_000).machine_made
