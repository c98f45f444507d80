from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from tamis.chunking import chunk
from tamis.types import ChunkedDocument, Document, Kind

Chunking = Callable[..., ChunkedDocument]


def chunked(text: str, kind: Kind, *, path: str = "docs/some file.txt", **sizes: int) -> ChunkedDocument:
    return chunk(Document(path, text, kind, content_hash=""), **sizes)


@pytest.fixture(scope="session")
def markdown() -> Chunking:
    return partial(chunked, kind="markdown")


@pytest.fixture(scope="session")
def rst() -> Chunking:
    return partial(chunked, kind="rst")


@pytest.fixture(scope="session")
def plain() -> Chunking:
    return partial(chunked, kind="text")


@pytest.fixture(scope="session")
def code() -> Chunking:
    return partial(chunked, kind="code")
