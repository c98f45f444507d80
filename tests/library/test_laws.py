"""DESIGN section 2's laws, through the public face."""

from __future__ import annotations

import shutil
import threading
from typing import TYPE_CHECKING

import pytest

import tamis
from tamis.errors import CorpusBusyError
from tamis.storage import CorpusLock, Snapshot

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tamis.types import SearchResult
    from tests.library.conftest import CountingEmbedder

    Writer = Callable[[str, str], Path]


def found(result: SearchResult) -> list[tuple[str, int, float]]:
    return [(hit.path, hit.chunk_index, round(hit.score, 4)) for hit in result]


def all_modes(
    corpus: tamis.Corpus, query: str = "rotate signing keys"
) -> dict[str, list[tuple[str, int, float]]]:
    return {
        mode: found(corpus.search(query, mode=mode))
        for mode in ("hybrid", "semantic", "lexical", "title_path")
    }  # type: ignore[arg-type]


def ranked(modes: dict[str, list[tuple[str, int, float]]]) -> dict[str, list[tuple[str, int]]]:
    """Without the scores: BM25's statistics count what was removed until the engine merges it away."""
    return {mode: [(path, index) for path, index, _ in hits] for mode, hits in modes.items()}


def version(number: int) -> str:
    return "".join(
        f"# Part {part}\n\nmarker version{number} part{part} {'filler ' * 60}\n\n" for part in range(6)
    )


def test_law_1_a_reader_sees_one_version_of_a_file_whole_while_it_is_replaced(
    library: tamis.Library, notes: Path, write: Writer
) -> None:
    path = write("changing.md", version(0))
    corpus = library.index("notes", [notes])
    reader = tamis.open(library.home).corpus("notes")
    done = threading.Event()
    seen: list[set[str]] = []
    failures: list[BaseException] = []

    def read() -> None:
        try:
            while not done.is_set():
                hits = reader.search("marker", mode="lexical", top_k=20)
                seen.append({hit.text.split("marker ")[1].split()[0] for hit in hits})
                assert len(hits) == 6
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    for number in range(1, 15):
        corpus.amend(path, version(number))
    done.set()
    for thread in threads:
        thread.join()
    assert not failures, failures[0]
    assert all(len(versions) == 1 for versions in seen), "an answer mixed two versions"
    assert found(corpus.search("marker", mode="lexical")) == found(reader.search("marker", mode="lexical"))


@pytest.mark.parametrize("part", ["lexical", "dense.tvim", "both"])
def test_law_2_a_lost_index_is_rebuilt_from_the_truth_without_the_embedder(
    library: tamis.Library, notes: Path, counting: dict[str, CountingEmbedder], part: str
) -> None:
    before = ranked(all_modes(library.index("notes", [notes])))
    embedded = len(counting["one"].texts)
    library.close()
    folder = library.home / "corpora" / "notes"
    if part != "dense.tvim":
        shutil.rmtree(folder / "lexical")
    if part != "lexical":
        for file in folder.glob("dense*"):
            file.unlink()
    with tamis.open(library.home) as again:
        assert ranked(all_modes(again.corpus("notes"))) == before
    assert len(counting["one"].texts) == embedded


def test_the_candidates_vectors_come_from_the_rows_once_they_are_there(
    library: tamis.Library, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tamis.storage.derived.NEW_ROWS", 1)  # a few notes would do without
    before = all_modes(library.index("notes", [notes]))
    rows = library.home / "corpora" / "notes" / "dense.rows"
    rows.rename(rows.with_suffix(".away"))
    assert all_modes(library.corpus("notes")) == before
    rows.with_suffix(".away").rename(rows)

    def unasked(*_: object) -> None:
        raise AssertionError("the truth was asked for vectors")

    monkeypatch.setattr(Snapshot, "vectors", unasked)
    assert all_modes(library.corpus("notes")) == before


def test_law_2_torn_index_files_are_never_believed(library: tamis.Library, notes: Path) -> None:
    before = ranked(all_modes(library.index("notes", [notes])))
    library.close()
    folder = library.home / "corpora" / "notes"
    files = [*folder.glob("dense*"), *(folder / "lexical").iterdir()]
    whole = {file: file.read_bytes() for file in files}
    for file, content in whole.items():
        for torn in (b"", content[: len(content) // 2], b"\xff" * len(content)):
            shutil.rmtree(folder / "lexical")
            (folder / "lexical").mkdir()
            for other, kept in whole.items():
                other.write_bytes(torn if other == file else kept)
            with tamis.open(library.home) as again:
                assert ranked(all_modes(again.corpus("notes"))) == before, (
                    f"{file.name} torn to {len(torn)} bytes"
                )


def test_law_2_an_index_put_back_from_an_older_copy_is_brought_up_to_date(
    library: tamis.Library, notes: Path, write: Writer, tmp_path: Path
) -> None:
    library.index("notes", [notes])
    library.close()
    folder = library.home / "corpora" / "notes"
    shutil.copytree(folder, tmp_path / "old")
    with tamis.open(library.home) as again:
        write("more.md", "# More\n\nKeys again, and more of them.\n")
        (notes / "zebra.txt").unlink()
        corpus = again.corpus("notes")
        corpus.refresh()
        before = ranked(all_modes(corpus))
    shutil.rmtree(folder / "lexical")
    shutil.copytree(tmp_path / "old" / "lexical", folder / "lexical")
    for file in (tmp_path / "old").glob("dense*"):
        shutil.copy(file, folder / file.name)
    with tamis.open(library.home) as again:
        assert ranked(all_modes(again.corpus("notes"))) == before


def test_law_3_a_writer_that_waited_too_long_is_told_who_holds_the_lock(
    library: tamis.Library, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.index("notes", [notes])
    monkeypatch.setenv("TAMIS_INDEX_LOCK_WAIT_SECONDS", "0")
    with tamis.open(library.home) as other, CorpusLock(library.home / "corpora" / "notes", "write").hold(0):
        with pytest.raises(CorpusBusyError, match=r"process \d+, since 20"):
            other.corpus("notes").refresh()
        assert len(other.corpus("notes").search("keys")) > 0, "readers never wait for a writer"


def test_law_4_a_text_is_embedded_once_however_often_it_moves(
    library: tamis.Library, notes: Path, counting: dict[str, CountingEmbedder], write: Writer
) -> None:
    corpus = library.index("notes", [notes])
    assert corpus.report is not None
    first = list(counting["one"].texts)
    assert corpus.report.newly_embedded_chunks == len(first) == len(set(first))
    (notes / "keys.md").rename(notes / "moved.md")
    write("copy.md", (notes / "moved.md").read_text())
    report = corpus.refresh()
    assert report.reembedded_chunks == 0
    assert [path.rsplit("/", 1)[1] for path in report.added] == ["copy.md", "moved.md"]
    library.index("notes", [notes])
    assert counting["one"].texts == first


def test_law_5_another_model_gets_vectors_of_its_own_and_answers_once_they_are_whole(
    library: tamis.Library, notes: Path, counting: dict[str, CountingEmbedder]
) -> None:
    library.index("notes", [notes])
    corpus = library.index("notes", [notes], embedder="hash:two", dense=False)
    assert corpus.search("keys", mode="semantic").model_version == "one@1", (
        "the old set answers until the new one is whole"
    )
    corpus.embed()
    assert len(counting["two"].texts) == len(counting["one"].texts)
    assert corpus.search("keys", mode="semantic").model_version == "two@1"
    assert corpus.search("keys").dense_coverage == 1.0


def test_law_6_text_is_searchable_before_it_is_embedded_and_the_answer_says_so(
    library: tamis.Library, notes: Path
) -> None:
    corpus = library.index("notes", [notes], dense=False)
    result = corpus.search("zebra stripes")
    assert result.hits[0].path.endswith("zebra.txt")
    assert result.dense_coverage == 0.0
    assert any("0%" in warning for warning in result.warnings)
    corpus.embed()
    result = corpus.search("zebra stripes")
    assert result.dense_coverage == 1.0
    assert result.warnings == ()


def test_law_7_a_filter_holds_before_ranking_and_the_answer_is_still_full(
    library: tamis.Library, notes: Path, write: Writer
) -> None:
    for number in range(30):
        write(f"many/{number}.md", "keys keys keys keys keys\n")
    for number in range(5):
        write(f"few/{number}.txt", f"one key among other words, number {number}: keys\n")
    corpus = library.index("notes", [notes])
    for mode in ("lexical", "semantic", "hybrid", "fact"):
        result = corpus.search("keys", mode=mode, top_k=5, filter=tamis.Filter(path_glob="few/**"))  # type: ignore[arg-type]
        assert len(result) == 5
        assert all("/few/" in hit.path for hit in result)
        assert result.filter_applied is not None
        assert (result.filter_applied.total_before, result.filter_applied.kept) == (result.total_chunks, 5)


@pytest.mark.parametrize(
    "query", ['"', "AND OR NOT", "title:keys", "(((", "keys~2^9", "[a TO b]", "*", "\\", "-keys", "\x00"]
)
def test_law_7_nothing_in_a_query_is_syntax(library: tamis.Library, notes: Path, query: str) -> None:
    corpus = library.index("notes", [notes])
    for mode in ("lexical", "hybrid", "title_path", "fact"):
        assert not corpus.search(query, mode=mode).degraded  # type: ignore[arg-type]
