"""A corpus in a folder that may not be written to can be read."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from tamis.errors import CorpusError
from tamis.storage import CorpusLock, Truth
from tamis.types import Settings
from tests.storage.filling import file_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def read_only(unprivileged: Path) -> Iterator[Path]:
    """The database of a corpus with one file, in a folder that may not be written to."""
    path = unprivileged / "corpus.db"
    truth = Truth(path)
    truth.create("notes", Settings(paths=("/notes",)))
    add(truth, "/notes/a.md")
    truth.close()
    close(path)
    yield path
    open_again(path)


def close(path: Path) -> None:
    for file in path.parent.iterdir():
        file.chmod(0o444)
    path.parent.chmod(0o555)


def open_again(path: Path) -> None:
    path.parent.chmod(0o755)
    for file in path.parent.iterdir():
        file.chmod(0o644)


def add(truth: Truth, path: str) -> None:
    with truth.write() as write:
        write.put_file(file_of(path, "alpha"))


def paths(truth: Truth) -> list[str]:
    with truth.snapshot() as snapshot:
        return [row.path for row in snapshot.files()]


def test_it_can_be_read(read_only: Path) -> None:
    truth = Truth(read_only)
    assert paths(truth) == ["/notes/a.md"]
    assert [file.name for file in read_only.parent.iterdir()] == ["corpus.db"]
    truth.close()


def test_what_its_owner_writes_meanwhile_is_seen(read_only: Path) -> None:
    reader = Truth(read_only)
    assert paths(reader) == ["/notes/a.md"]
    open_again(read_only)
    writer = Truth(read_only)
    add(writer, "/notes/b.md")
    writer.close()
    close(read_only)
    assert paths(reader) == ["/notes/a.md", "/notes/b.md"]
    reader.close()


def test_a_change_of_it_is_refused_with_what_to_do(read_only: Path) -> None:
    truth = Truth(read_only)
    with pytest.raises(CorpusError) as caught:
        add(truth, "/notes/b.md")
    assert caught.value.hint
    truth.close()


def test_changes_that_a_killed_writer_left_in_the_log_are_not_passed_over(read_only: Path) -> None:
    open_again(read_only)
    writer = sqlite3.connect(read_only)
    reader = sqlite3.connect(read_only)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM meta").fetchall()
    writer.execute("UPDATE meta SET value = '' WHERE key = 'none'")
    writer.execute("INSERT INTO meta VALUES ('other', '')")
    writer.commit()
    kept = {name: (read_only.parent / name).read_bytes() for name in ("corpus.db", "corpus.db-wal")}
    reader.close()
    writer.close()
    for name, content in kept.items():
        (read_only.parent / name).write_bytes(content)
    close(read_only)
    with pytest.raises(CorpusError) as caught:
        Truth(read_only)
    assert "killed" in caught.value.hint


def test_its_lock_cannot_be_held_and_says_so(read_only: Path) -> None:
    lock = CorpusLock(read_only.parent, "write")
    assert not lock.possible
    with pytest.raises(CorpusError) as caught, lock.hold(0):
        pass
    assert "cannot be written to" in caught.value.message
