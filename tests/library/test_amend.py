"""Amend replaces one file's chunks, and the corpus admits it (seed 001)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import tamis
from tamis.errors import AmendError, InputError, RootError, UnreachableError
from tests.library.conftest import CountingEmbedder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tamis.types import Embedded


def texts(corpus: tamis.Corpus, query: str) -> list[str]:
    return [hit.text for hit in corpus.search(query, mode="lexical")]


def test_the_new_text_is_found_and_the_old_is_not(library: tamis.Library, notes: Path) -> None:
    corpus = library.index("notes", [notes])
    report = corpus.amend(notes / "keys.md", "# Keys\n\nA walrus keeps them.\n")
    assert (report.corpus, report.file_path) == ("notes", str(notes / "keys.md"))
    assert (report.chunks_removed, report.chunks_added) == (2, 1)
    assert report.embed_model_resolved == "one@1"
    assert report.warnings, "amend always warns"
    assert texts(corpus, "walrus") == ["# Keys\n\nA walrus keeps them."]
    assert not any("rotate" in text for text in texts(corpus, "rotate"))
    assert "walrus" in corpus.search("walrus", mode="semantic").hits[0].text
    assert "rotate" in (notes / "keys.md").read_text(), "the disk is not written"


def test_the_manifest_admits_it_until_a_refresh_restores_the_snapshot(
    library: tamis.Library, notes: Path
) -> None:
    corpus = library.index("notes", [notes])
    assert not corpus.summary().has_amended_content
    corpus.amend(notes / "keys.md", "A walrus.\n")
    assert corpus.summary().has_amended_content
    health = corpus.health()
    assert health.has_amended_content
    (entry,) = health.amended_paths
    assert (entry.path, entry.chunks_before, entry.chunks_after, entry.cleared_at) == (
        str(notes / "keys.md"),
        2,
        1,
        None,
    )
    report = corpus.refresh()
    assert report.changed == (str(notes / "keys.md"),)
    assert report.reembedded_chunks == 0, "the disk's text was embedded before"
    assert not corpus.summary().has_amended_content
    assert corpus.health().amended_paths == ()
    assert texts(corpus, "walrus") == []
    (entry,) = corpus.history()
    assert entry.cleared_at is not None


def test_an_index_run_clears_it_as_well(library: tamis.Library, notes: Path) -> None:
    library.index("notes", [notes]).amend(notes / "keys.md", "A walrus.\n")
    assert not library.index("notes", [notes]).summary().has_amended_content
    assert texts(library.corpus("notes"), "walrus") == []


def test_text_for_a_path_that_is_not_on_disk_is_taken_and_dropped_by_the_next_refresh(
    library: tamis.Library, notes: Path
) -> None:
    corpus = library.index("notes", [notes])
    report = corpus.amend(notes / "planned.md", "# Planned\n\nAn ibex.\n")
    assert report.chunks_removed == 0
    (hit,) = corpus.search("ibex", mode="lexical")
    assert not hit.stale
    assert hit.title == "Planned"
    assert corpus.refresh().deleted == (str(notes / "planned.md"),)
    assert texts(corpus, "ibex") == []


def test_amending_to_what_the_disk_says_is_an_amend_all_the_same(library: tamis.Library, notes: Path) -> None:
    corpus = library.index("notes", [notes])
    corpus.amend(notes / "keys.md", (notes / "keys.md").read_text())
    assert corpus.summary().has_amended_content
    corpus.refresh()
    assert not corpus.summary().has_amended_content


def test_chunk_sizes_may_differ_for_one_amend(library: tamis.Library, notes: Path) -> None:
    corpus = library.index("notes", [notes])
    many = corpus.amend(notes / "keys.md", "word " * 300, chunk_chars=100, chunk_overlap=0)
    assert many.chunks_added >= 15
    assert corpus.amend(notes / "keys.md", "word " * 300).chunks_added < many.chunks_added


@pytest.mark.parametrize("text", ["", " \n", "x" * 5_000_001])
def test_an_empty_or_endless_text_is_refused(library: tamis.Library, notes: Path, text: str) -> None:
    with pytest.raises(InputError):
        library.index("notes", [notes]).amend(notes / "keys.md", text)


def test_a_path_outside_the_allowed_roots_is_refused(
    library: tamis.Library, notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "elsewhere"))
    with tamis.open(library.home) as strict:
        corpus = strict.index("notes", [notes])
        with pytest.raises(RootError):
            corpus.amend("/etc/passwd", "root\n")
        with pytest.raises(RootError):
            corpus.amend(notes / ".." / "beside.md", "text\n")
        assert corpus.amend(notes / "inside.md", "text\n").chunks_added == 1


def test_with_another_model_an_amend_is_refused_and_changes_nothing(
    library: tamis.Library, notes: Path, counting: dict[str, Any]
) -> None:
    corpus = library.index("notes", [notes])
    counting["one"]._fingerprint = CountingEmbedder("another").fingerprint
    before = corpus.health().generation
    with pytest.raises(AmendError) as caught:
        corpus.amend(notes / "keys.md", "A walrus.\n")
    assert caught.value.code == "CORPUS_AMEND_FAILED"
    assert corpus.health().generation == before


def test_when_the_embedder_fails_nothing_is_changed(
    library: tamis.Library, notes: Path, counting: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = library.index("notes", [notes])

    def fail(texts: Sequence[str]) -> Embedded:
        raise UnreachableError("no server", hint="start it")

    monkeypatch.setattr(counting["one"], "embed_passages", fail)
    before = corpus.health().generation
    with pytest.raises(AmendError) as caught:
        corpus.amend(notes / "keys.md", "A walrus.\n")
    assert caught.value.hint == "start it"
    assert corpus.health().generation == before
    assert not corpus.summary().has_amended_content
    assert (
        corpus.amend(notes / "keys.md", "# Keys\n\nWe rotate the signing keys every month.\n").chunks_added
        == 1
    ), "a text that has its vector needs no embedder"


def test_a_corpus_without_vectors_is_amended_for_words_alone(library: tamis.Library, notes: Path) -> None:
    corpus = library.index("notes", [notes], dense=False)
    corpus.amend(notes / "keys.md", "A walrus.\n")
    assert texts(corpus, "walrus") == ["A walrus."]
