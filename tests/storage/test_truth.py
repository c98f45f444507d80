"""DESIGN law 1: a write moves the corpus from one generation to the next, and readers see one of the two."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tamis.errors import CorpusFormatError
from tamis.storage import Truth
from tamis.storage.schema import SCHEMA_VERSION
from tamis.types import Fingerprint, Settings, Totals
from tests.storage.filling import file_of

if TYPE_CHECKING:
    from pathlib import Path

MODEL = Fingerprint("fake", "fake", "1", 4, "mean")


def made(path: Path) -> None:
    """An empty corpus at ``path``."""
    truth = Truth(path)
    truth.create("notes", Settings(paths=("/notes",)))
    truth.close()


def paths(truth: Truth) -> list[str]:
    with truth.snapshot() as snapshot:
        return [row.path for row in snapshot.files()]


def test_a_new_corpus_is_empty_and_at_generation_0(truth: Truth) -> None:
    with truth.snapshot() as snapshot:
        assert snapshot.manifest.generation == 0
        assert snapshot.totals() == Totals(0, 0, 0, 0)


def test_creating_a_corpus_again_leaves_it_as_it_is(truth: Truth) -> None:
    with truth.snapshot() as snapshot:
        before = snapshot.manifest
    truth.create("other", Settings(paths=("/other",)))
    with truth.snapshot() as snapshot:
        assert snapshot.manifest == before


def test_a_write_moves_the_generation_by_one(truth: Truth) -> None:
    with truth.write() as write:
        write.put_file(file_of("/notes/a.md", "alpha", "beta"))
    with truth.snapshot() as snapshot:
        assert snapshot.manifest.generation == 1
        assert snapshot.manifest.text_generation == 1
        assert snapshot.totals() == Totals(documents=1, chunks=2, chars=9, embeddable=2)


def test_a_write_that_fails_leaves_no_trace(truth: Truth) -> None:
    def fail() -> None:
        with truth.write() as write:
            write.put_file(file_of("/notes/a.md", "alpha"))
            raise RuntimeError("in the midst of it")

    with pytest.raises(RuntimeError):
        fail()
    with truth.snapshot() as snapshot:
        assert snapshot.manifest.generation == 0
        assert list(snapshot.files()) == []


def test_a_reader_keeps_its_generation_while_a_writer_commits(truth: Truth) -> None:
    with truth.write() as write:
        write.put_file(file_of("/notes/a.md", "old"))
    with truth.snapshot() as before:
        with truth.write() as write:
            write.put_file(file_of("/notes/a.md", "new"))
        assert before.manifest.generation == 1
        (row,) = before.files()
        assert [chunk.text for chunk in before.chunks_of(row)] == ["old"]
    with truth.snapshot() as after:
        (row,) = after.files()
        assert [chunk.text for chunk in after.chunks_of(row)] == ["new"]


def test_an_earlier_generation_can_be_shown_until_it_is_purged(truth: Truth) -> None:
    with truth.write() as write:
        write.put_file(file_of("/notes/a.md", "old"))
    with truth.write() as write:
        write.put_file(file_of("/notes/a.md", "new"))
        write.put_file(file_of("/notes/b.md", "more"))
    with truth.snapshot() as snapshot:
        snapshot.at = 1
        assert [row.path for row in snapshot.files()] == ["/notes/a.md"]
        assert [item.body for item in snapshot.lexical_additions(0)] == ["old"]
    with truth.write() as write:
        write.purge(2)
    with truth.snapshot() as snapshot:
        assert snapshot.manifest.purged_through == 2
        assert snapshot.totals().chunks == 2


def test_chunk_ids_are_never_used_again(truth: Truth) -> None:
    with truth.write() as write:
        write.put_file(file_of("/notes/a.md", "one"))
    with truth.snapshot() as snapshot:
        (first,) = [item.id for item in snapshot.lexical_additions(0)]
    with truth.write() as write:
        write.drop_file("/notes/a.md")
    with truth.write() as write:
        write.purge(2)
        write.put_file(file_of("/notes/a.md", "one"))
    with truth.snapshot() as snapshot:
        (second,) = [item.id for item in snapshot.lexical_additions(0)]
    assert second > first


def test_equal_texts_share_a_vector_whichever_file_they_are_in(truth: Truth) -> None:
    with truth.write() as write:
        model_id = write.add_model(MODEL)
        write.use_model(model_id, MODEL)
        write.put_file(file_of("/notes/a.md", "same", "other"))
        write.put_file(file_of("/notes/b.md", "same"))
    with truth.snapshot() as snapshot:
        assert snapshot.pending_count(model_id) == 2
        assert snapshot.lacking(model_id, ["same", "other", "unknown"]) == [0, 1, 2]
        pending = snapshot.pending_texts(model_id, after=0, limit=10)
        assert sorted(item.text for item in pending) == ["other", "same"]
    with truth.write() as write:
        (same,) = [item.text_id for item in pending if item.text == "same"]
        write.put_vectors(model_id, [same], np.ones((1, 4), np.float16))
    with truth.snapshot() as snapshot:
        assert snapshot.lacking(model_id, ["same", "other"]) == [1]
        assert sum(snapshot.embedded_by_file(model_id).values()) == 2
        assert snapshot.manifest.text_generation == 1, "a vector changes no text"


def test_a_file_that_went_and_came_back_has_its_vectors_still(truth: Truth) -> None:
    with truth.write() as write:
        model_id = write.add_model(MODEL)
        write.put_file(file_of("/notes/a.md", "text"))
    with truth.write() as write:
        write.put_vectors(model_id, write.text_ids(["text"]), np.ones((1, 4), np.float16))
    for _ in range(2):
        with truth.write() as write:
            write.drop_file("/notes/a.md")
            write.purge(write.generation)
            write.drop_orphans(keep=100)
    with truth.write() as write:
        write.put_file(file_of("/elsewhere/b.md", "text"))
    with truth.snapshot() as snapshot:
        assert snapshot.pending_count(model_id) == 0


def test_orphans_beyond_the_allowance_are_forgotten(truth: Truth) -> None:
    with truth.write() as write:
        model_id = write.add_model(MODEL)
        write.put_file(file_of("/notes/a.md", "x", "y", "z"))
        write.put_vectors(model_id, write.text_ids(["x", "y", "z"]), np.ones((3, 4), np.float16))
    with truth.write() as write:
        write.put_file(file_of("/notes/a.md", "z"))
    with truth.write() as write:
        write.purge(2)
        write.drop_orphans(keep=1)
    with truth.snapshot() as snapshot:
        assert snapshot.lacking(model_id, ["x", "y", "z"]) == [0, 1]


def test_files_indexed_lexically_only_wait_for_no_vector(truth: Truth) -> None:
    with truth.write() as write:
        model_id = write.add_model(MODEL)
        write.put_file(file_of("/notes/min.js", "x" * 50, lexical_only=True))
    with truth.snapshot() as snapshot:
        assert snapshot.pending_count(model_id) == 0
        assert snapshot.totals().embeddable == 0


def test_a_file_indexed_lexically_only_counts_for_no_coverage_though_its_text_has_a_vector(
    truth: Truth,
) -> None:
    with truth.write() as write:
        model_id = write.add_model(MODEL)
        write.use_model(model_id, MODEL)
        write.put_file(file_of("/notes/a.md", "same"))
        write.put_file(file_of("/notes/min.js", "same", lexical_only=True))
        write.put_vectors(model_id, write.text_ids(["same"]), np.ones((1, 4), np.float16))
    with truth.snapshot() as snapshot:
        assert (snapshot.embedded(), snapshot.totals().embeddable) == (1, 1)
        assert snapshot.totals().coverage(snapshot.embedded()) == 1.0


def test_a_corpus_of_a_newer_tamis_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "corpus.db"
    made(path)
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    db.execute("PRAGMA journal_mode = DELETE").fetchall()
    db.close()
    before = path.read_bytes()
    with pytest.raises(CorpusFormatError) as caught:
        Truth(path)
    assert caught.value.code == "SCHEMA_INVALID"
    assert "newer tamis" in caught.value.message
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"not a database at all" * 100, b"\x00" * 4096, b"SQLite format 3\x00garbage" * 9]
)
def test_a_file_that_is_no_corpus_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "corpus.db"
    path.write_bytes(content)
    with pytest.raises(CorpusFormatError):
        Truth(path)
    assert path.read_bytes() == content


def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "corpus.db"
    db = sqlite3.connect(path)
    db.execute("PRAGMA application_id = 7")
    db.execute("CREATE TABLE theirs (x)")
    db.close()
    with pytest.raises(CorpusFormatError):
        Truth(path)


def test_another_programs_database_without_an_id_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "corpus.db"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE theirs (x)")
    db.close()
    before = path.read_bytes()
    with pytest.raises(CorpusFormatError):
        Truth(path)
    assert path.read_bytes() == before


def test_failures_are_kept_with_the_stat_they_were_seen_at(truth: Truth) -> None:
    from tamis.types import FailedPath, FileStat

    failures = [
        FailedPath("/notes/b", "link", "SYMLINK_NOT_ALLOWED"),
        FailedPath("/notes/a", "why", "X", FileStat(3, 4)),
    ]
    with truth.write() as write:
        write.set_failed_paths(failures)
    with truth.snapshot() as snapshot:
        assert snapshot.failed_paths() == tuple(sorted(failures, key=lambda item: item.path))
    assert paths(truth) == []
