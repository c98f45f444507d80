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
from tamis.cli.main import main
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


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing of the machine that the tests run on is seen or touched."""
    for name in ("TAMIS_HOME", "TAMIS_CONFIG", "NO_COLOR", "COLUMNS", "TAMIS_ALLOWED_ROOTS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("TAMIS_HOME", str(tmp_path / "home"))
    embedders.register("hash")(lambda model, config: HashEmbedder())
    yield
    embedders.registry._factories.pop("hash")


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    for name, text in NOTES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


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
def indexed(tamis: Tamis, notes: Path) -> Path:
    """The notes, in the corpus ``notes``."""
    outcome = tamis("index", "notes", notes, "--embedder", "hash")
    assert outcome.status == 0, outcome.err
    return notes
