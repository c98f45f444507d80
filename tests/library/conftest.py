"""A library in a folder of the test's own, with an embedder that needs no model and counts what it is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import tamis
from tamis import embedders
from tamis.testing import HashEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from tamis.embedders import EmbedderConfig
    from tamis.types import Embedded


class CountingEmbedder(HashEmbedder):
    """Remembers every passage that it was given."""

    def __init__(self, model: str) -> None:
        super().__init__(64, model)
        self.texts: list[str] = []

    def embed_passages(self, texts: Sequence[str]) -> Embedded:
        self.texts += texts
        return super().embed_passages(texts)


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> dict[str, CountingEmbedder]:
    """Makes ``hash:MODEL`` an embedder; the embedders that were made, by model."""
    made: dict[str, CountingEmbedder] = {}

    def make(model: str, config: EmbedderConfig) -> CountingEmbedder:
        return made.setdefault(model, CountingEmbedder(model))

    monkeypatch.setitem(embedders.registry._factories, "hash", make)
    monkeypatch.setenv("TAMIS_INDEX_EMBEDDER", "hash:one")
    return made


@pytest.fixture
def library(tmp_path: Path, counting: dict[str, CountingEmbedder]) -> Iterator[tamis.Library]:
    with tamis.open(tmp_path / "home") as opened:
        yield opened


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A folder of three small documents."""
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "keys.md").write_text(
        "# Keys\n\nWe rotate the signing keys every month.\n\n## Steps\n\nPublish the new key first.\n"
    )
    (folder / "deploy.md").write_text("# Deploy\n\nDeploys happen on Tuesday, by the operator on duty.\n")
    (folder / "zebra.txt").write_text("A zebra has stripes and no keys.\n")
    return folder


@pytest.fixture
def write(notes: Path) -> Callable[[str, str], Path]:
    """Writes a note and gives its path."""

    def put(name: str, text: str) -> Path:
        path = notes / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return put
