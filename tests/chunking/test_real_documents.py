"""The laws, and what chunks look like, on documents that people wrote."""

from __future__ import annotations

import lzma
import tarfile
from statistics import mean
from typing import TYPE_CHECKING

import pytest

from tamis.chunking import chunk
from tamis.types import Document

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.shared


def texts(archive: Path, suffix: str) -> Iterator[tuple[str, str]]:
    with lzma.open(archive) as raw, tarfile.open(fileobj=raw) as tar:
        for member in tar:
            if member.isfile() and member.name.endswith(suffix):
                file = tar.extractfile(member)
                assert file is not None
                yield member.name, file.read().decode(errors="surrogateescape")


@pytest.mark.slow
def test_the_rfcs_give_well_filled_chunks_under_their_headings(shared: Path) -> None:
    documents = [
        Document(name, text, "markdown", "")
        for name, text in texts(shared / "corpora/rust-rfcs.tar.xz", ".md")
    ]
    chunked = [chunk(document) for document in documents]
    chunks = [item for document in chunked for item in document.chunks]
    assert 12_000 <= len(chunks) <= 20_000
    assert mean(len(item.text) for item in chunks) > 450
    assert mean(bool(item.heading_path) for item in chunks) > 0.9
    assert sum(item.type == "heading" for item in chunks) < 10
    for document, result in zip(documents, chunked, strict=True):
        for item in result.chunks:
            assert document.text[item.start : item.end] == item.text
            assert len(item.text) <= 800 or item.type == "code"


def test_nasty_files_are_chunked_whole(shared: Path) -> None:
    for name, text in texts(shared / "corpora/nasty.tar.xz", ".md"):
        kept: set[int] = set()
        for item in chunk(Document(name, text, "markdown", "")).chunks:
            assert text[item.start : item.end] == item.text
            kept.update(range(item.start, item.end))
        assert all(at in kept or text[at].isspace() for at in range(len(text)))
