"""DESIGN law 2: a kill at any instant costs at most the write in flight, and the next run goes on from there."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import tamis

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.library.conftest import CountingEmbedder

# Indexes in a process of its own and says each step, so that the test can kill it at any of them. The batches are small, so
# that there are many.
INDEX = """
import sys
import tamis
from tamis import embedders
from tamis.indexing import embed, reconcile
from tamis.testing import HashEmbedder
reconcile.SLICE, reconcile.BATCH_FILES, embed.BATCH = 3, 3, 5
embedders.register("hash")(lambda model, config: HashEmbedder(64, model))
def say(stage, done, total):
    print(stage, done, flush=True)
    sys.stdin.readline()
with tamis.open(sys.argv[1]) as library:
    library.index("notes", [sys.argv[2]], progress=say)
"""
STEPS = 17  # more than there are


def index_killed_after(home: Path, notes: Path, steps: int) -> list[str]:
    """Run the script, let it take that many steps, and kill it in the midst of the next."""
    told: list[str] = []
    with subprocess.Popen(
        [sys.executable, "-c", INDEX, str(home), str(notes)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        for _ in range(steps):
            line = child.stdout.readline()
            if not line:
                break
            told.append(line.strip())
            child.stdin.write("\n")
            child.stdin.flush()
        child.send_signal(signal.SIGKILL)
        child.wait()
    return told


@pytest.mark.parametrize("steps", range(1, STEPS, 3))
def test_an_index_run_killed_anywhere_leaves_a_corpus_that_answers_and_goes_on(
    tmp_path: Path,
    write: Callable[[str, str], Path],
    notes: Path,
    counting: dict[str, CountingEmbedder],
    steps: int,
) -> None:
    for number in range(12):
        write(
            f"n{number}.md",
            f"# Note {number}\n\nThe topic of this one is number{number}.\n\n## More\n\nOther text {number}.\n",
        )
    home = tmp_path / "killed"
    index_killed_after(home, notes, steps)
    with tamis.open(home) as library:
        survivors = library.corpus("notes")
        summary = survivors.summary()
        hits = survivors.search("topic number", mode="lexical", top_k=100)
        assert len({hit.path for hit in hits}) <= summary.documents
        again = library.index("notes", [notes])
        assert again.report is not None
        assert again.report.dense_coverage == 1.0
        resumed = {(hit.path, hit.chunk_index) for hit in again.search("topic number", top_k=50)}
    with tamis.open(tmp_path / "untouched") as library:
        whole = library.index("notes", [notes])
        assert whole.report is not None
        assert again.report.chunks == whole.report.chunks
        assert resumed == {(hit.path, hit.chunk_index) for hit in whole.search("topic number", top_k=50)}


def test_what_was_embedded_before_the_kill_is_not_embedded_again(
    tmp_path: Path, write: Callable[[str, str], Path], notes: Path, counting: dict[str, CountingEmbedder]
) -> None:
    for number in range(12):
        write(f"n{number}.md", f"# Note {number}\n\nThe topic of this one is number{number}.\n")
    home = tmp_path / "killed"
    told = index_killed_after(home, notes, 9)
    assert told[-1].startswith("embed "), told
    done = int(told[-1].split()[1])
    assert done > 0
    with tamis.open(home) as library:
        corpus = library.index("notes", [notes])
        assert corpus.report is not None
        assert corpus.report.reused_chunks >= done
        assert len(counting["one"].texts) == corpus.report.chunks - corpus.report.reused_chunks
