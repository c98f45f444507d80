from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

import pytest

from tamis.embedders.digest import sha256

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "model.onnx"
    path.write_bytes(b"abc")
    return path


# FIPS 180-2, appendix B.1.
ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_it_is_the_sha_256_the_first_time_and_the_second(file: Path, cache: Path) -> None:
    assert sha256(file, cache) == ABC
    assert sha256(file, cache) == ABC


def test_a_file_that_looks_the_same_is_not_read_again(file: Path, cache: Path) -> None:
    sha256(file, cache)
    status = file.stat()
    with file.open("r+b") as handle:
        handle.write(b"xyz")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert sha256(file, cache) == ABC


@pytest.mark.parametrize("manner", ["content", "replaced", "size"])
def test_a_file_that_changed_is_read_again(file: Path, cache: Path, manner: str) -> None:
    sha256(file, cache)
    status = file.stat()
    content = b"abcd" if manner == "size" else b"xyz"
    if manner == "replaced":
        other = file.with_name("other")
        other.write_bytes(content)
        other.replace(file)
    else:
        file.write_bytes(content)
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns + (manner == "content")))
    assert sha256(file, cache) == hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize("note", [b"", b"\xff\xfe\x00", ABC.encode()])
def test_a_note_that_makes_no_sense_is_written_anew(file: Path, cache: Path, note: bytes) -> None:
    sha256(file, cache)
    (written,) = (cache / "digests").iterdir()
    whole = written.read_bytes()
    written.write_bytes(note)
    assert sha256(file, cache) == ABC
    assert written.read_bytes() == whole


def test_a_cache_that_cannot_be_written_only_costs_time(file: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert sha256(file, tmp_path / "cache") == ABC


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path, cache: Path) -> None:
    with pytest.raises(FileNotFoundError):
        sha256(tmp_path / "none", cache)
