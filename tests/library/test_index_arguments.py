"""An index run looks at what it is asked for before it makes or changes anything, and keeps what it is not told."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import tamis
from tamis.errors import (
    BinaryError,
    ConfigError,
    InputError,
    NotRegularError,
    SourceError,
    SymlinkError,
    TooLargeError,
    UnreadableError,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    Writer = Callable[[str, str], Path]


def state(corpus: tamis.Corpus) -> tuple[int, int, str]:
    health = corpus.health()
    return health.generation, health.summary.documents, str(corpus._wired.truth.exists())


BAD: dict[str, tuple[dict[str, Any], type[tamis.TamisError]]] = {
    "no such embedder": ({"embedder": "foo"}, ConfigError),
    "no such embedder, for later": ({"embedder": "foo", "dense": False}, ConfigError),
    "no such model, for later": ({"embedder": "onnx:/nope", "dense": False}, ConfigError),
    "a blank glob": ({"include": [""]}, InputError),
    "a blank glob to leave out": ({"exclude": [" "]}, InputError),
    "a chunk size": ({"chunk_chars": 1}, InputError),
}


@pytest.mark.parametrize(("arguments", "error"), BAD.values(), ids=BAD)
def test_a_bad_argument_makes_no_corpus_and_changes_none(
    library: tamis.Library, notes: Path, arguments: dict[str, Any], error: type[tamis.TamisError]
) -> None:
    with pytest.raises(error) as caught:
        library.index("new", [notes], **arguments)
    assert caught.value.hint
    assert library.names() == []
    corpus = library.index("notes", [notes])
    before = state(corpus)
    (notes / "more.md").write_text("More.\n")
    with pytest.raises(error):
        library.index("notes", [notes], **arguments)
    assert state(corpus) == before
    assert library.index("notes", [notes]).report is not None
    assert corpus.refresh().no_op


def test_a_corpus_whose_embedder_is_gone_is_still_indexed_for_words(
    library: tamis.Library, notes: Path, counting: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    library.index("notes", [notes])
    monkeypatch.delitem(tamis.embedders.registry._factories, "hash")
    (notes / "more.md").write_text("A manatee.\n")
    with tamis.open(library.home) as later:
        corpus = later.index("notes", [notes])
        assert len(corpus.search("manatee", mode="lexical")) == 1
        assert corpus.report is not None
        assert any("embedding stopped" in text for text in corpus.report.warnings)


def link(path: Path) -> None:
    path.with_name("there").mkdir()
    path.symlink_to("there")


def pipe(path: Path) -> None:
    os.mkfifo(path)


def binary(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 40)


def large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(50_000_001)


def nothing(path: Path) -> None:
    """Leaves the path without a file."""


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (link, SymlinkError),
        (pipe, NotRegularError),
        (binary, BinaryError),
        (large, TooLargeError),
        (nothing, SourceError),
    ],
)
def test_a_path_of_which_nothing_can_be_read_is_refused_and_empties_no_corpus(
    library: tamis.Library,
    notes: Path,
    tmp_path: Path,
    make: Callable[[Path], None],
    error: type[SourceError],
) -> None:
    odd = tmp_path / "odd"
    make(odd)
    corpus = library.index("notes", [notes])
    before = state(corpus)
    for name in ("notes", "new"):
        with pytest.raises(error) as caught:
            library.index(name, [odd])
        assert type(caught.value) is error
        assert str(odd) in caught.value.message
    assert state(corpus) == before
    assert library.names() == ["notes"]
    report = library.index("notes", [odd, notes]).report
    assert report is not None
    assert report.documents == 3, "the rest is taken"


def test_a_device_is_refused_with_a_hint(library: tamis.Library) -> None:
    with pytest.raises(UnreadableError) as caught:
        library.index("notes", "/dev/null")
    assert "device" in caught.value.message
    assert caught.value.hint


def test_a_named_link_is_refused_with_its_target(library: tamis.Library, notes: Path, tmp_path: Path) -> None:
    (tmp_path / "lnk").symlink_to(notes)
    with pytest.raises(SymlinkError) as caught:
        library.index("notes", f"{tmp_path}/lnk/")
    assert str(notes) in caught.value.hint


@pytest.mark.parametrize("kind", [str, Path, lambda path: [path], lambda path: (str(path),)])
def test_one_path_need_not_be_a_list(
    library: tamis.Library, notes: Path, kind: Callable[[Path], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    report = library.index("notes", kind(notes)).report
    assert report is not None
    assert report.documents == 3
    monkeypatch.setenv("HOME", str(notes.parent))
    assert library.index("home", "~/notes").health().roots == (str(notes),)


def test_one_name_and_one_glob_need_not_be_a_list(library: tamis.Library, notes: Path) -> None:
    report = library.index("notes", notes, include="*.md", exclude="deploy.*").report
    assert report is not None
    assert report.documents == 1
    library.index("other", notes / "zebra.txt")
    assert {hit.corpus for hit in library.search("keys", "notes")} == {"notes"}
    assert library.refine("keys", "other").memories[0].corpus == "other"
    assert library.outline("keys", "notes").request.corpora == ("notes",)
    assert [memory["title"] for memory in library.memories("other")] == ["zebra.txt"]


def test_globs_that_match_nothing_say_what_was_dropped(library: tamis.Library, notes: Path) -> None:
    library.index("notes", notes)
    report = library.index("notes", notes, include="*.mdd").report
    assert report is not None
    (told,) = [text for text in report.warnings if "no files matched" in text]
    assert "3 documents dropped" in told
    assert "*.mdd" in told


def test_an_empty_corpus_does_not_pass_for_a_healthy_one(library: tamis.Library, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert any("empty" in text for text in library.index("none", tmp_path / "empty").health().warnings)


@pytest.mark.parametrize("named", [".", "home"])
def test_the_librarys_own_files_are_nobodys_documents(
    library: tamis.Library, notes: Path, tmp_path: Path, named: str
) -> None:
    library.index("notes", notes)
    (library.home / "searches.jsonl").write_text('{"query": "zebra"}\n')
    corpus = library.index("all", tmp_path / named)
    files = [file.path for file in corpus.health(detailed=True).files or ()]
    assert files == ([] if named == "home" else sorted(str(path) for path in notes.iterdir()))
    assert corpus.refresh().no_op


def test_documents_that_somebody_keeps_in_the_home_are_read_when_they_are_named(
    library: tamis.Library, tmp_path: Path
) -> None:
    kept = library.home / "docs"
    kept.mkdir(parents=True)
    (kept / "own.md").write_text("A note.\n")
    for path in (kept, library.home):
        report = library.index("own", path).report
        assert report is not None
        assert report.documents == 1


def test_what_is_not_said_is_as_in_the_run_before(library: tamis.Library, notes: Path, write: Writer) -> None:
    write("long.md", "word " * 400)
    first = library.index(
        "notes", notes, chunk_chars=200, chunk_overlap=0, exclude="deploy.*", include="*.md"
    ).report
    second = library.index("notes", notes).report
    assert first is not None
    assert second is not None
    assert (second.chunks, second.documents) == (first.chunks, first.documents)
    third = library.index("notes", notes, include=(), exclude=(), chunk_chars=800).report
    assert third is not None
    assert third.documents == 4
    assert third.chunks < first.chunks + 4


def test_a_folder_is_not_amended(library: tamis.Library, notes: Path) -> None:
    (notes / "sub").mkdir()
    os.mkfifo(notes / "pipe")
    corpus = library.index("notes", notes)
    before = state(corpus)
    for path in (notes, notes / "sub", notes / "pipe"):
        with pytest.raises(InputError) as caught:
            corpus.amend(path, "A walrus.\n")
        assert caught.value.hint
    assert state(corpus) == before


def test_one_of_a_kind_is_told_in_the_singular(library: tamis.Library, notes: Path, write: Writer) -> None:
    write("app.min.js", "var quokka=1;" * 6000)
    (notes / "bad.md").write_bytes(b"\x80\x81\xfe\xff\x00\x01" * 50)
    corpus = library.index("notes", notes)
    assert corpus.report is not None
    assert any("1 machine-made file is searched" in text for text in corpus.report.warnings)
    assert "1 path could not be indexed" in corpus.health().warnings
