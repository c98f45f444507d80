"""What cannot be read any more keeps its old text, amended or not, and the corpus says so for as long as it lasts."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

import tamis

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.library.conftest import CountingEmbedder

    Breaking = Callable[[Path], object]


@pytest.fixture
def late_imports(library: tamis.Library, notes: Path) -> None:
    """Does everything once."""
    corpus = library.index("warm", [notes])
    corpus.amend(notes / "keys.md", "A walrus.\n")
    (notes / "zebra.txt").unlink()
    os.mkfifo(notes / "pipe.md")
    corpus.refresh(verify=True)
    corpus.search("keys")
    corpus.health(detailed=True)


@pytest.fixture
def humble(
    unprivileged: Path, counting: dict[str, CountingEmbedder], monkeypatch: pytest.MonkeyPatch
) -> Iterator[tamis.Library]:
    """A library of a user for whom file modes count, beside the folder ``docs`` of two documents."""
    for variable in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(variable, str(unprivileged))
    docs = unprivileged / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# A\n\nAn aardvark.\n")
    (docs / "b.md").write_text("# B\n\nA badger.\n")
    with tamis.open(unprivileged / "home") as opened:
        yield opened


@pytest.fixture
def docs(unprivileged: Path) -> Path:
    return unprivileged / "docs"


def found(corpus: tamis.Corpus, word: str) -> bool:
    return len(corpus.search(word, mode="lexical")) > 0


def failures(paths: tuple[tamis.types.FailedPath, ...]) -> list[str]:
    return [item.path.rsplit("/", 1)[1] for item in paths]


def forbid(path: Path) -> None:
    path.chmod(0)


def empty_of_text(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 40)


def make_link(path: Path) -> None:
    path.rename(path.with_name("target.md"))
    path.symlink_to("target.md")


def make_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize("options", [{}, {"verify": True, "retry_failed": True}])
def test_amended_text_of_a_file_that_became_unreadable_stays_amended_until_it_can_be_read(
    humble: tamis.Library, docs: Path, options: dict[str, bool]
) -> None:
    corpus = humble.index("docs", docs)
    corpus.amend(docs / "b.md", "A walrus.\n")
    forbid(docs / "b.md")
    for _ in range(2):
        report = corpus.refresh(**options)
        assert failures(report.still_failed) == ["b.md"]
        assert any("amended text is still in place" in text and "b.md" in text for text in report.warnings)
        assert found(corpus, "walrus")
        assert corpus.summary().has_amended_content
        assert [item.path for item in corpus.health().amended_paths] == [str(docs / "b.md")]
        assert [item.cleared_at for item in corpus.history()] == [None]
    (docs / "b.md").chmod(0o600)
    report = corpus.refresh()
    assert (report.changed, report.still_failed) == ((str(docs / "b.md"),), ())
    assert not found(corpus, "walrus")
    assert found(corpus, "badger")
    assert not corpus.summary().has_amended_content
    assert corpus.history()[0].cleared_at is not None


def test_an_index_run_says_the_same_of_amended_text(humble: tamis.Library, docs: Path) -> None:
    humble.index("docs", docs).amend(docs / "b.md", "A walrus.\n")
    forbid(docs / "b.md")
    corpus = humble.index("docs", docs)
    assert found(corpus, "walrus")
    assert corpus.summary().has_amended_content


@pytest.mark.parametrize("options", [{}, {"verify": True, "retry_failed": True}])
def test_text_amended_under_a_link_is_admitted_for_as_long_as_it_is_found(
    library: tamis.Library, notes: Path, options: dict[str, bool]
) -> None:
    (notes / "link.md").symlink_to("keys.md")
    corpus = library.index("notes", [notes])
    corpus.amend(notes / "link.md", "A walrus.\n")
    corpus.refresh(**options)
    assert corpus.summary().has_amended_content == found(corpus, "walrus") is True
    (notes / "link.md").unlink()
    corpus.refresh(**options)
    assert corpus.summary().has_amended_content == found(corpus, "walrus") is False


def test_text_amended_in_a_folder_that_is_not_there_is_admitted_until_the_folder_is_back(
    library: tamis.Library, notes: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "o.md").write_text("An otter.\n")
    corpus = library.index("both", [notes, other])
    corpus.amend(other / "o.md", "A walrus.\n")
    other.rename(tmp_path / "unplugged")
    (notes / "keys.md").write_text("# Keys\n\nChanged.\n")
    assert corpus.refresh().changed == (str(notes / "keys.md"),)
    assert found(corpus, "walrus")
    assert corpus.summary().has_amended_content
    (tmp_path / "unplugged").rename(other)
    corpus.refresh()
    assert not found(corpus, "walrus")
    assert not corpus.summary().has_amended_content


def test_of_several_amends_those_that_were_restored_are_cleared(library: tamis.Library, notes: Path) -> None:
    corpus = library.index("notes", [notes])
    corpus.amend(notes / "keys.md", "A walrus.\n")
    corpus.amend(notes / "zebra.txt", "A quagga.\n")
    make_link(notes / "zebra.txt")
    corpus.refresh()
    assert [item.path for item in corpus.health().amended_paths] == [str(notes / "zebra.txt")]
    assert {item.path: item.cleared_at is None for item in corpus.history()} == {
        str(notes / "keys.md"): False,
        str(notes / "zebra.txt"): True,
    }


def test_a_file_that_failed_is_reported_by_every_refresh_and_nothing_is_written(
    humble: tamis.Library, docs: Path
) -> None:
    humble.index("docs", docs)
    forbid(docs / "b.md")
    corpus = humble.index("docs", docs)
    assert corpus.report is not None
    assert failures(corpus.report.failed_paths) == ["b.md"]
    before = corpus.health().generation
    for _ in range(2):
        report = corpus.refresh()
        assert failures(report.still_failed) == ["b.md"]
        assert report.unchanged == (str(docs / "a.md"),)
        assert report.no_op
        assert report.retried_failed == ()
        assert corpus.health().generation == before
    assert failures(corpus.health().failed_paths) == ["b.md"]


def test_leave_to_read_that_was_given_is_noticed_without_being_asked_to_retry(
    humble: tamis.Library, docs: Path
) -> None:
    forbid(docs / "b.md")
    corpus = humble.index("docs", docs)
    assert not found(corpus, "badger")
    (docs / "b.md").chmod(0o600)
    report = corpus.refresh()
    assert report.added == report.retried_failed == (str(docs / "b.md"),)
    assert report.still_failed == ()
    assert found(corpus, "badger")


@pytest.mark.parametrize("change", [empty_of_text, make_link, make_pipe])
def test_old_text_that_is_kept_is_said_to_be(library: tamis.Library, notes: Path, change: Breaking) -> None:
    corpus = library.index("notes", [notes])
    change(notes / "zebra.txt")
    report = corpus.refresh()
    assert found(corpus, "zebra")
    for warnings in (report.warnings, corpus.refresh().warnings, corpus.health().warnings):
        (told,) = [text for text in warnings if "old text kept" in text]
        assert "1 file " in told
        assert "zebra.txt" in told
    assert corpus.refresh().no_op


def test_old_text_of_an_unreadable_file_is_kept_and_said_to_be(humble: tamis.Library, docs: Path) -> None:
    corpus = humble.index("docs", docs)
    forbid(docs / "b.md")
    for warnings in (corpus.refresh(verify=True).warnings, corpus.health().warnings):
        assert any("old text kept" in text and "b.md" in text for text in warnings)
    assert found(corpus, "badger")


def test_files_of_a_folder_that_cannot_be_entered_or_became_a_link_are_kept(
    humble: tamis.Library, docs: Path
) -> None:
    sub = docs / "sub"
    sub.mkdir()
    (sub / "c.md").write_text("A caribou.\n")
    corpus = humble.index("docs", docs)
    forbid(sub)
    report = corpus.refresh()
    assert failures(report.still_failed) == ["sub"]
    assert report.deleted == ()
    assert any("old text kept" in text and "c.md" in text for text in corpus.health().warnings)
    sub.chmod(0o700)
    shutil.move(sub, docs.parent / "elsewhere")
    sub.symlink_to(docs.parent / "elsewhere")
    assert corpus.refresh().deleted == ()
    assert found(corpus, "caribou")
    sub.unlink()
    assert corpus.refresh().deleted == (str(sub / "c.md"),)


def test_a_named_folder_that_became_a_link_keeps_its_files(library: tamis.Library, notes: Path) -> None:
    corpus = library.index("notes", [notes])
    notes.rename(notes.with_name("moved"))
    notes.symlink_to("moved")
    report = corpus.refresh()
    assert report.deleted == ()
    assert failures(report.still_failed) == ["notes"]
    assert found(corpus, "zebra")


def test_a_missing_folder_is_named_and_not_said_to_hold_nothing(library: tamis.Library, notes: Path) -> None:
    corpus = library.index("notes", [notes])
    notes.rename(notes.with_name("unplugged"))
    for warnings in (corpus.refresh().warnings, corpus.health().warnings):
        assert not any("no files matched" in text for text in warnings)
        assert any(str(notes) in text and "is kept: 3 files" in text for text in warnings)
    assert corpus.refresh().no_op
