"""The collection of files that break readers: nothing hangs, nothing crashes, every failure has its reason."""

from __future__ import annotations

import os
import tarfile
from typing import TYPE_CHECKING

import pytest

from tamis.errors import SourceError
from tamis.readers import read, walk
from tests.readers.trees import real

if TYPE_CHECKING:
    from pathlib import Path

    from tamis.types import Document


@pytest.mark.shared
@pytest.mark.timeout(60)
def test_the_nasty_collection_is_read_with_a_reason_for_each_failure(
    shared: Path, unprivileged: Path
) -> None:
    with tarfile.open(shared / "corpora" / "nasty.tar.xz") as archive:
        archive.extractall(unprivileged, filter="fully_trusted")
    os.mkfifo(unprivileged / "made" / "pipe.md")

    found = walk([str(unprivileged)], allowed_roots=[real(unprivileged)])
    documents: dict[str, Document] = {}
    failed: dict[str, str] = {}
    for source in found:
        name = os.path.basename(source.path)
        try:
            documents[name] = read(source)
        except SourceError as error:
            failed[name] = error.code
    failed |= {os.path.basename(item.path): item.code for item in found.failed}

    assert failed == {
        "bad-\\xff-utf8-name.md": "SOURCE_UNREADABLE",
        "pipe.md": "SOURCE_NOT_REGULAR",
        "noperm.md": "SOURCE_UNREADABLE",
        "broken.md": "SYMLINK_NOT_ALLOWED",
        "link.md": "SYMLINK_NOT_ALLOWED",
        "up": "SYMLINK_NOT_ALLOWED",
        "nul-inside.md": "SOURCE_UNDECODABLE",
        "lone-surrogate-bytes.md": "SOURCE_UNDECODABLE",
    }
    assert all(item.reason for item in found.failed)
    # 6 PDFs, 12 docx files and 5 notebooks: formats for which there is no reader yet.
    assert found.skipped_binary == 23
    assert ".hidden.md" not in documents
    for name in ("new\nline.md", "-leading-dash.md", "日本語.md", "UPPER.MD", "deep.md", "empty.md"):
        assert documents[name].kind == "markdown"
    ownership = documents["bom.md"].text
    assert documents["crlf.md"].text == ownership.replace("\n", "\r\n")
    assert documents["utf16le-bom.md"].text == ownership
    assert ownership.startswith(documents["utf16be-nobom.txt"].text)
    assert documents["latin1.md"].text.startswith("# Café à Zürich\n")
    assert {name for name, document in documents.items() if document.machine_made} == {
        "base64-blob.md",
        "one-token-1MB.txt",
    }
    for document in documents.values():
        document.text.encode()
        document.path.encode()
