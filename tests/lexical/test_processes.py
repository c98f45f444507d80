"""One process writes and others read; a writer may be killed at any instant."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING

import pytest

from tamis.errors import CorpusBusyError
from tamis.lexical import TantivyIndex
from tamis.types import Stamp
from tests.lexical.documents import document, fill, found

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tamis.types import LexicalDocument

# Generation after generation, each with one document that has its number for an id, in place of the one before.
WRITER = textwrap.dedent(
    """
    import itertools, sys
    from pathlib import Path
    from tamis.lexical import TantivyIndex
    from tamis.types import LexicalDocument, Stamp

    index = TantivyIndex(Path(sys.argv[1]))
    for generation in itertools.count(index.stamp().generation + 1):
        document = LexicalDocument(generation, 1, "", "", "", "alpha", "text")
        index.apply(Stamp("corpus", generation), [document], [generation - 1])
        print(generation, flush=True)
    """
)


@pytest.fixture
def written(index: TantivyIndex, folder: Path) -> TantivyIndex:
    """An index at generation 1."""
    index.apply(Stamp("corpus", 1), [document(1, "alpha")], [])
    return index


def writer(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", WRITER, str(folder)], stdout=subprocess.PIPE, text=True)


def test_a_reader_sees_whole_generations_while_another_process_writes(
    written: TantivyIndex, folder: Path
) -> None:
    with writer(folder) as process:
        assert process.stdout
        for _ in range(12):
            announced = int(process.stdout.readline())
            stamp = written.stamp()
            assert stamp is not None
            assert stamp.generation >= announced
            assert found(written, "alpha") == [stamp.generation]
        process.kill()


def test_what_is_found_is_of_the_generation_that_was_last_looked_up(
    written: TantivyIndex, folder: Path
) -> None:
    other = TantivyIndex(folder)
    assert written.stamp() == Stamp("corpus", 1)
    other.apply(Stamp("corpus", 2), [document(2, "alpha")], [1])
    assert found(written, "alpha") == [1]
    assert written.stamp() == Stamp("corpus", 2)
    assert found(written, "alpha") == [2]


def test_a_killed_writer_costs_no_more_than_the_write_in_flight(written: TantivyIndex, folder: Path) -> None:
    for commits in range(1, 6):
        with writer(folder) as process:
            assert process.stdout
            last = [int(process.stdout.readline()) for _ in range(commits)][-1]
            process.kill()
        fresh = TantivyIndex(folder)
        stamp = fresh.stamp()
        assert stamp is not None
        assert stamp.generation >= last
        assert found(fresh, "alpha") == [stamp.generation]
    # Nothing that the dead left behind keeps the next one from writing, or stays.
    (folder / ".tmp4Xq7Lm").write_bytes(b"half a list")
    written.apply(Stamp("corpus", 1000), [document(7, "beta")], [])
    assert found(written, "beta") == [7]
    assert not list(folder.glob(".tmp*"))


def test_a_second_writer_is_told_that_there_is_one(written: TantivyIndex, folder: Path) -> None:
    def interrupted() -> Iterator[LexicalDocument]:
        with pytest.raises(CorpusBusyError) as busy:
            fill(TantivyIndex(folder), ["beta"])
        assert busy.value.retryable
        yield document(2, "alpha")

    written.apply(Stamp("corpus", 2), interrupted(), [])
    assert written.stamp() == Stamp("corpus", 2)


def test_reading_words_loads_no_numpy(written: TantivyIndex, folder: Path) -> None:
    script = textwrap.dedent(
        """
        import sys
        from pathlib import Path
        from tamis.lexical import BM25, FIELD_WEIGHTS, TantivyIndex

        index = TantivyIndex(Path(sys.argv[1]))
        hits = index.search("alpha", 1, weights=FIELD_WEIGHTS, bm25=BM25)
        print(hits[0].id, sorted({"numpy", "regex", "onnxruntime"} & set(sys.modules)))
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(folder)], check=True, capture_output=True, text=True
    )
    assert done.stdout == "1 []\n"
