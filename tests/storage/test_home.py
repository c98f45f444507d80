"""A corpus is there as a whole or not at all, and one that is not made yet stands in nobody's way."""

from __future__ import annotations

import os
import sqlite3
import threading
from typing import TYPE_CHECKING

import pytest

from tamis.errors import CorpusError, CorpusNotFoundError
from tamis.storage import Home, Truth, schema
from tamis.types import Settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SETTINGS = Settings(paths=("/notes",))


def empty_file(path: Path) -> None:
    path.write_bytes(b"")


def no_tables(path: Path) -> None:
    Truth(path).close()


def no_manifest(path: Path) -> None:
    """What earlier versions left behind when they were killed between the tables and the manifest."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    schema.migrate(db)
    db.close()


def no_file(path: Path) -> None:
    """A kill before the database was opened."""


HALF_MADE = [empty_file, no_tables, no_manifest, no_file]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home with one corpus, ``notes``."""
    home = Home(tmp_path)
    make(home, "notes")
    return home


def make(home: Home, name: str) -> None:
    truth = Truth(home.make(name) / "corpus.db")
    truth.create(name, SETTINGS)
    truth.close()


@pytest.mark.parametrize("leave", HALF_MADE)
def test_what_was_begun_and_not_made_is_no_corpus(home: Home, leave: Callable[[Path], None]) -> None:
    leave(home.make("begun") / "corpus.db")
    assert home.names() == ["notes"]
    with pytest.raises(CorpusNotFoundError) as caught:
        home.folder("begun")
    assert "corpora: notes" in caught.value.hint


@pytest.mark.parametrize("leave", HALF_MADE)
def test_what_was_begun_can_be_made(home: Home, leave: Callable[[Path], None]) -> None:
    leave(home.make("begun") / "corpus.db")
    make(home, "begun")
    assert home.names() == ["begun", "notes"]


@pytest.mark.parametrize("leave", HALF_MADE)
def test_what_was_begun_can_be_removed(home: Home, leave: Callable[[Path], None]) -> None:
    folder = home.make("begun")
    leave(folder / "corpus.db")
    home.remove("begun")
    assert not folder.exists()


@pytest.mark.parametrize("leave", [empty_file, no_tables, no_manifest])
def test_a_truth_that_was_not_made_says_so(tmp_path: Path, leave: Callable[[Path], None]) -> None:
    leave(tmp_path / "corpus.db")
    truth = Truth(tmp_path / "corpus.db")
    assert not truth.exists()
    with pytest.raises(CorpusNotFoundError), truth.snapshot():
        pass
    with pytest.raises(CorpusNotFoundError), truth.write():
        pass
    truth.create("notes", SETTINGS)
    with truth.snapshot() as snapshot:
        assert snapshot.manifest.name == "notes"
    truth.close()


def test_a_kill_between_the_tables_and_the_manifest_leaves_no_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(db: sqlite3.Connection) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "corpus.db"
    truth = Truth(path)
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, killed))
    monkeypatch.setattr(schema, "SCHEMA_VERSION", len(schema.MIGRATIONS))
    with pytest.raises(KeyboardInterrupt):
        truth.create("notes", SETTINGS)
    truth.close()
    db = sqlite3.connect(path)
    assert db.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    db.close()


def test_a_damaged_corpus_is_listed_so_that_its_fault_is_seen(home: Home) -> None:
    (home.make("damaged") / "corpus.db").write_bytes(b"no database at all" * 100)
    assert home.names() == ["damaged", "notes"]


def test_a_pipe_in_the_place_of_a_corpus_is_not_opened(home: Home) -> None:
    os.mkfifo(home.make("pipe") / "corpus.db")
    assert home.names() == ["notes"]


def test_corpora_that_are_being_made_are_listed_when_they_are_whole(tmp_path: Path) -> None:
    home = Home(tmp_path)
    names = [f"r{number}" for number in range(12)]

    def index() -> None:
        for name in names:
            make(home, name)

    maker = threading.Thread(target=index)
    maker.start()
    while maker.is_alive():
        for name in Home(tmp_path).names():
            truth = Truth(home.folder(name) / "corpus.db")
            with truth.snapshot() as snapshot:
                assert snapshot.manifest.name == name
            truth.close()
    maker.join()
    assert home.names() == sorted(names)


def test_a_home_that_may_not_be_written_to_says_what_to_do(unprivileged: Path) -> None:
    home = Home(unprivileged)
    make(home, "notes")
    for folder in (unprivileged, unprivileged / "corpora", unprivileged / "corpora" / "notes"):
        folder.chmod(0o555)
    with pytest.raises(CorpusError) as caught:
        home.make("more")
    assert "--home" in caught.value.hint
    with pytest.raises(CorpusError) as caught:
        home.remove("notes")
    assert "--home" in caught.value.hint
    assert Home(unprivileged).names() == ["notes"]
    for folder in (unprivileged, unprivileged / "corpora", unprivileged / "corpora" / "notes"):
        folder.chmod(0o755)
