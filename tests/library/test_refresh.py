"""Index and refresh keep the corpus in line with the disk."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

import tamis
from tamis.errors import CorpusNotFoundError, InputError, RootError, SourceError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.library.conftest import CountingEmbedder

    Writer = Callable[[str, str], Path]


def names(paths: tuple[str, ...]) -> list[str]:
    return [path.rsplit("/", 1)[1] for path in paths]


def generation(corpus: tamis.Corpus) -> int:
    return corpus.health().generation


def test_indexing_again_changes_nothing_and_embeds_nothing(
    library: tamis.Library, notes: Path, counting: dict[str, CountingEmbedder]
) -> None:
    first = library.index("notes", [notes]).report
    embedded = len(counting["one"].texts)
    second = library.index("notes", [notes]).report
    assert first is not None
    assert second is not None
    assert (second.documents, second.chunks, second.total_chars) == (
        first.documents,
        first.chunks,
        first.total_chars,
    )
    assert (second.reused_chunks, second.newly_embedded_chunks) == (first.chunks, 0)
    assert len(counting["one"].texts) == embedded


def test_indexing_drops_files_that_are_named_no_longer(library: tamis.Library, notes: Path) -> None:
    library.index("notes", [notes])
    report = library.index("notes", [notes / "keys.md"]).report
    assert report is not None
    assert sorted(names(report.dropped_files)) == ["deploy.md", "zebra.txt"]
    assert report.documents == 1
    assert len(library.corpus("notes").search("zebra", mode="lexical")) == 0


def test_a_file_found_from_another_folder_is_searched_by_its_path_from_there(
    library: tamis.Library, notes: Path, write: Writer, counting: dict[str, CountingEmbedder]
) -> None:
    write("guide/walrus.md", "A walrus.\n")
    library.index("notes", [notes / "guide"])
    embedded = len(counting["one"].texts)
    corpus = library.index("notes", [notes])
    inside = tamis.Filter(path_glob="guide/**")
    assert names(tuple(hit.path for hit in corpus.search("walrus", filter=inside).hits)) == ["walrus.md"]
    assert len(corpus.search("guide", mode="title_path").hits) == 1
    assert corpus.refresh().no_op
    assert counting["one"].texts[embedded:].count(counting["one"].texts[0]) == 0


@pytest.mark.parametrize("what", ["link", "pipe"])
def test_a_file_in_whose_place_is_none_is_gone_with_its_text(
    library: tamis.Library, notes: Path, what: str
) -> None:
    corpus = library.index("notes", [notes])
    (notes / "zebra.txt").unlink()
    if what == "link":
        (notes / "zebra.txt").symlink_to(notes / "keys.md")
    else:
        os.mkfifo(notes / "zebra.txt")
    report = corpus.refresh()
    assert names(report.deleted) == ["zebra.txt"]
    assert [failed.code for failed in corpus.health(detailed=True).failed_paths] == [
        "SYMLINK_NOT_ALLOWED" if what == "link" else "SOURCE_NOT_REGULAR"
    ]
    assert len(corpus.search("zebra", mode="lexical")) == 0


def test_a_refresh_without_a_change_writes_nothing(library: tamis.Library, notes: Path) -> None:
    corpus = library.index("notes", [notes])
    before = generation(corpus)
    report = corpus.refresh()
    assert report.no_op
    assert len(report.unchanged) == 3
    assert (report.added, report.changed, report.deleted, report.missing) == ((), (), (), ())
    assert generation(corpus) == before


def test_a_refresh_reports_what_was_added_changed_and_deleted(
    library: tamis.Library, notes: Path, write: Writer
) -> None:
    corpus = library.index("notes", [notes])
    write("new.md", "# New\n\nA pelican arrived.\n")
    write("keys.md", "# Keys\n\nKeys are never rotated.\n")
    (notes / "zebra.txt").unlink()
    report = corpus.refresh()
    assert names(report.added) == ["new.md"]
    assert names(report.changed) == ["keys.md"]
    assert names(report.deleted) == ["zebra.txt"]
    assert names(report.unchanged) == ["deploy.md"]
    assert not report.no_op
    assert report.dropped_chunks == 3
    assert [hit.title for hit in corpus.search("pelican", mode="lexical")] == ["New"]
    assert len(corpus.search("stripes", mode="lexical")) == 0


def test_a_change_that_keeps_size_and_time_is_found_by_verify_and_by_index(
    library: tamis.Library, notes: Path, write: Writer
) -> None:
    path = write("same.md", "alpha bravo\n")
    corpus = library.index("notes", [notes])
    before = path.stat()
    path.write_text("gamma delta\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert corpus.refresh().no_op
    assert names(corpus.refresh(verify=True).changed) == ["same.md"]
    path.write_text("omega sigma\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    again = library.index("notes", [notes])
    assert len(again.search("omega", mode="lexical")) == 1


def test_a_touched_file_is_not_chunked_again(
    library: tamis.Library, notes: Path, counting: dict[str, CountingEmbedder]
) -> None:
    corpus = library.index("notes", [notes])
    embedded = len(counting["one"].texts)
    os.utime(notes / "keys.md", (1_000_000_000, 1_000_000_000))
    report = corpus.refresh()
    assert report.changed == ()
    assert len(counting["one"].texts) == embedded
    assert corpus.refresh().no_op
    since = tamis.Filter(since="2005-01-01")
    assert all("keys.md" not in hit.path for hit in corpus.search("keys", filter=since))


def test_a_folder_that_is_not_there_keeps_its_files_and_is_reported(
    library: tamis.Library, notes: Path
) -> None:
    corpus = library.index("notes", [notes])
    notes.rename(notes.with_name("unplugged"))
    report = corpus.refresh()
    assert report.missing == (str(notes),)
    assert report.deleted == ()
    assert any("not there" in warning for warning in report.warnings)
    hits = corpus.search("zebra", mode="lexical")
    assert len(hits) == 1
    assert hits.hits[0].stale


def test_a_named_file_that_went_is_dropped(library: tamis.Library, notes: Path) -> None:
    corpus = library.index("notes", [notes / "keys.md", notes / "zebra.txt"])
    (notes / "zebra.txt").unlink()
    report = corpus.refresh()
    assert names(report.deleted) == ["zebra.txt"]
    assert names(report.missing) == ["zebra.txt"]


def test_a_file_that_cannot_be_read_is_reported_and_tried_again_when_it_changes_or_on_demand(
    library: tamis.Library, notes: Path
) -> None:
    (notes / "bad.md").write_bytes(b"\x80\x81\xfe\xff\x00\x01" * 50)
    corpus = library.index("notes", [notes])
    assert corpus.report is not None
    failed = {item.path.rsplit("/", 1)[1]: item for item in corpus.report.failed_paths}
    assert failed["bad.md"].reason
    report = corpus.refresh()
    assert report.no_op
    assert report.retried_failed == ()
    assert names(tuple(item.path for item in report.still_failed)) == ["bad.md"]
    assert names(corpus.refresh(retry_failed=True).retried_failed) == ["bad.md"]
    (notes / "bad.md").write_text("good now\n")
    report = corpus.refresh()
    assert names(report.added) == ["bad.md"]
    assert report.still_failed == ()


def test_hits_of_files_that_changed_since_are_marked_stale(
    library: tamis.Library, notes: Path, write: Writer
) -> None:
    corpus = library.index("notes", [notes])
    assert not any(hit.stale for hit in corpus.search("keys"))
    write("keys.md", "# Keys\n\nSomething longer than it was, about keys.\n")
    (notes / "zebra.txt").unlink()
    stale = {hit.path.rsplit("/", 1)[1]: hit.stale for hit in corpus.search("keys stripes deploy")}
    assert stale == {"keys.md": True, "zebra.txt": True, "deploy.md": False}


def test_other_chunk_sizes_cut_every_file_again(library: tamis.Library, notes: Path, write: Writer) -> None:
    write("long.md", "word " * 400)
    first = library.index("notes", [notes]).report
    second = library.index("notes", [notes], chunk_chars=200).report
    assert first is not None
    assert second is not None
    assert second.chunks > first.chunks
    assert library.corpus("notes").refresh().no_op


def test_no_matching_file_is_a_loud_warning(library: tamis.Library, notes: Path) -> None:
    report = library.index("notes", [notes], include=["*.pdf"]).report
    assert report is not None
    assert any("no files matched" in warning for warning in report.warnings)


def test_globs_say_which_files_are_read(library: tamis.Library, notes: Path, write: Writer) -> None:
    write("sub/deep.md", "deep\n")
    report = library.index("notes", [notes], include=["**/*.md"], exclude=["deploy.*"]).report
    assert report is not None
    assert report.documents == 2
    assert library.corpus("notes").refresh().no_op, "a refresh uses the globs of the index"


def test_a_machine_made_file_is_searched_by_words_only(
    library: tamis.Library, notes: Path, write: Writer, counting: dict[str, CountingEmbedder]
) -> None:
    write("app.min.js", "var quokka=1;" * 6000)
    corpus = library.index("notes", [notes])
    assert corpus.report is not None
    assert any("app.min.js" in warning for warning in corpus.report.warnings)
    assert corpus.report.dense_coverage == 1.0
    assert not any("quokka" in text for text in counting["one"].texts)
    assert corpus.search("quokka", mode="lexical").hits[0].path.endswith("app.min.js")


def test_a_path_that_is_not_there_makes_no_corpus(library: tamis.Library, tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        library.index("notes", [tmp_path / "nowhere"])
    assert caught.value.code == "SOURCE_PATH_NOT_FOUND"
    assert library.names() == []


@pytest.mark.parametrize("name", ["", "a b", "../up", "a/b", "ä", "x" * 65, "notes\n"])
def test_a_malformed_name_is_refused(library: tamis.Library, notes: Path, name: str) -> None:
    with pytest.raises(InputError) as caught:
        library.index(name, [notes])
    assert caught.value.code == "SCHEMA_INVALID"


@pytest.mark.parametrize(("chars", "overlap"), [(99, 0), (8001, 0), (800, -1), (800, 4001), (800, 800)])
def test_chunk_sizes_out_of_range_are_refused_before_anything_is_made(
    library: tamis.Library, notes: Path, chars: int, overlap: int
) -> None:
    with pytest.raises(InputError):
        library.index("notes", [notes], chunk_chars=chars, chunk_overlap=overlap)
    assert library.names() == []


def test_a_small_chunk_size_alone_takes_a_smaller_overlap(library: tamis.Library, notes: Path) -> None:
    assert library.index("notes", [notes], chunk_chars=100).report is not None


def test_a_caller_that_is_no_person_is_kept_to_the_allowed_roots(
    library: tamis.Library, notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "elsewhere"))
    with tamis.open(library.home) as strict:
        with pytest.raises(RootError):
            strict.index("notes", [notes], restrict=True)
        assert strict.index("notes", [notes]).report is not None, "what a person names is allowed"
        assert strict.corpus("notes").refresh().no_op
    monkeypatch.setenv("TAMIS_ALLOWED_ROOTS", str(notes))
    with tamis.open(library.home) as allowed:
        assert allowed.index("more", [notes], restrict=True).report is not None


def test_an_unknown_corpus_is_named_with_the_nearest_and_all_there_are(
    library: tamis.Library, notes: Path
) -> None:
    library.index("notes", [notes])
    library.index("other", [notes])
    with pytest.raises(CorpusNotFoundError) as caught:
        library.corpus("nots")
    assert "'notes'" in caught.value.hint
    assert "other" in caught.value.hint


def test_a_removed_corpus_is_gone_and_its_documents_stay(library: tamis.Library, notes: Path) -> None:
    library.index("notes", [notes])
    library.remove("notes")
    assert library.names() == []
    assert (notes / "keys.md").exists()
    assert library.index("notes", [notes]).report is not None
    assert len(library.corpus("notes").search("keys")) > 0


def test_a_corpus_removed_and_made_anew_by_another_process_is_seen(
    library: tamis.Library, notes: Path
) -> None:
    library.index("notes", [notes])
    with tamis.open(library.home) as other:
        other.remove("notes")
        other.index("notes", [notes / "zebra.txt"])
    assert [hit.path for hit in library.corpus("notes").search("keys")] == [str(notes / "zebra.txt")]
