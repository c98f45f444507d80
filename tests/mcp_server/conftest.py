"""A machine of the test's own, a library over it, and the SDK's client in memory."""

from __future__ import annotations

import threading
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

import tamis
from mcp import Client
from tamis import embedders
from tamis.mcp_server.server import TamisServer
from tamis.testing import HashEmbedder

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Sequence
    from pathlib import Path

    from tamis.types import Embedded, Vectors

NOTES = {
    "keys.md": "# Keys\n\n## Rotation\n\nKeys are rotated every ninety days.\nWho rotates a key tells the others.\n",
    "backups.md": "# Backups\n\nBackups are kept for a year. The vault holds them.\n",
    "deep/tokio.rs": "/// Spawns a task on the runtime.\npub fn spawn_task() -> u32 {\n    42\n}\n",
}


class GatedEmbedder(HashEmbedder):
    """Waits at an open gate; closed, it is a model that does not answer."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Event()
        self.gate.set()
        self.reached = threading.Event()
        self.made = 0

    def embed_passages(self, texts: Sequence[str]) -> Embedded:
        self._wait()
        return super().embed_passages(texts)

    def embed_query(self, text: str) -> Vectors:
        self._wait()
        return super().embed_query(text)

    def _wait(self) -> None:
        self.reached.set()
        assert self.gate.wait(20)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the machine that the tests run on is seen or touched."""
    for name in ("TAMIS_CONFIG", "TAMIS_ALLOWED_ROOTS", "TAMIS_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    home = tmp_path / "user"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("TAMIS_HOME", str(tmp_path / "home"))


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[GatedEmbedder]:
    """The embedder of every corpus, under the key ``gated``."""
    made = GatedEmbedder()

    def make(name: str, config: object) -> GatedEmbedder:
        made.made += 1
        return made

    embedders.register("gated")(make)
    monkeypatch.setenv("TAMIS_INDEX_EMBEDDER", "gated")
    yield made
    made.gate.set()
    embedders.registry._factories.pop("gated")


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A folder under the user's home."""
    folder = tmp_path / "user" / "notes"
    for name, text in NOTES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def library(model: GatedEmbedder) -> Iterator[tamis.Library]:
    with tamis.open() as opened:
        yield opened


@pytest.fixture
def indexed(library: tamis.Library, notes: Path) -> Path:
    """The notes, in the corpus ``notes``."""
    library.index("notes", [notes])
    return notes


@pytest.fixture
def connect(library: tamis.Library) -> Callable[..., Any]:
    """Connects a client in memory to a server over the library."""

    @asynccontextmanager
    async def connected(*, compat: bool = False, **options: Any) -> AsyncIterator[Client]:
        server = TamisServer(lambda: library, compat=compat)
        async with Client(server, **options) as client:
            yield client
        server.calls.stop(5)

    return connected
