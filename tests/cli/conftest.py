"""A user's machine: a home for corpora, a folder of notes, and the command line."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from tamis import embedders
from tamis import library as tamis_library
from tamis.cli.main import main
from tamis.embedders import registry
from tamis.testing import HashEmbedder

if TYPE_CHECKING:
    from pathlib import Path

NOTES = {
    "keys.md": "# Keys\n\n## Rotation\n\nKeys are rotated every ninety days.\nWho rotates a key tells the others.\n",
    "backups.md": "# Backups\n\nBackups are kept for a year. The vault holds them.\n",
    "deep/tokio.rs": "/// Spawns a task on the runtime.\npub fn spawn_task() -> u32 {\n    42\n}\n",
}


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """The envelope."""
        return json.loads(self.out)

    @property
    def result(self) -> Any:
        return self.data["result"]

    @property
    def error(self) -> Any:
        return json.loads(self.err)


Tamis: TypeAlias = Callable[..., Outcome]


@pytest.fixture(scope="session", autouse=True)
def hash_embedder() -> Iterator[None]:
    embedders.register("hash")(lambda model, config: HashEmbedder())
    yield
    registry._factories.pop("hash")


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the machine that the tests run on is seen or touched."""
    for name in ("TAMIS_HOME", "TAMIS_CONFIG", "NO_COLOR", "COLUMNS", "TAMIS_ALLOWED_ROOTS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("TAMIS_HOME", str(tmp_path / "home"))


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A folder of notes that a test may change."""
    return write_notes(tmp_path / "notes")


@pytest.fixture
def tamis(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Tamis:
    """Runs a command line in this process."""

    def run(*arguments: str | Path, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsysbinary.readouterr()
        status = main([str(argument) for argument in arguments])
        captured = capsysbinary.readouterr()
        return Outcome(status, captured.out.decode(), captured.err.decode())

    return run


@pytest.fixture
def own(tamis: Tamis, notes: Path) -> Path:
    """The notes, in the corpus ``notes``, for tests that change either."""
    outcome = tamis("index", "notes", notes, "--embedder", "hash")
    assert outcome.status == 0, outcome.err
    return notes


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A home with the notes in the corpus ``notes``, and the folder of the notes."""
    home, folder = tmp_path_factory.mktemp("home"), write_notes(tmp_path_factory.mktemp("shared") / "notes")
    with tamis_library.open(home) as opened:
        opened.index("notes", [folder], embedder="hash")
    return home, folder


@pytest.fixture
def indexed(library: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """The notes, in the corpus ``notes``, for tests that only look."""
    home, folder = library
    monkeypatch.setenv("TAMIS_HOME", str(home))
    return folder


def write_notes(folder: Path) -> Path:
    for name, text in NOTES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder
