"""``python -m benchmarks.backends [MS …]``: embedding through a server with added latency, beside the ideal.

The ideal is the waiting alone: batches × latency ÷ concurrency. What comes on top is the server's and our own work.
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import tamis

if TYPE_CHECKING:
    from collections.abc import Iterator

CHUNKS = 2000
BATCH, CONCURRENCY = 32, 4
WORDS = [
    "sieve",
    "grain",
    "river",
    "mill",
    "bridge",
    "stone",
    "boat",
    "key",
    "rotate",
    "backup",
    "vault",
    "year",
    "month",
    "day",
    "engineer",
    "garden",
    "water",
]


@contextmanager
def stand_in(latency: float) -> Iterator[str]:
    """The address of a server that waits so many milliseconds before each answer."""
    command = [sys.executable, "-m", "benchmarks.backends.stand_in", str(latency)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
        finally:
            process.terminate()


def write_notes(folder: Path) -> None:
    """Files of ten sections of a chunk each."""
    for number in range(CHUNKS // 10):
        sections = []
        for section in range(10):
            words = [WORDS[(number * 7 + section * 3 + i * i) % len(WORDS)] for i in range(100)]
            sections.append(f"## Section {number}.{section}\n\n{' '.join(words)}.")
        (folder / f"{number}.md").write_text("\n\n".join(sections))


def measure(latency: float, folder: Path, home: Path) -> tuple[int, float, float]:
    """Chunks, and seconds for embedding them, commits included, by the wall and of this process's CPU time."""
    with stand_in(latency) as url:
        os.environ["TAMIS_EMBEDDER_OLLAMA_URL"] = url
        os.environ["TAMIS_EMBEDDER_OLLAMA_BATCH"] = str(BATCH)
        os.environ["TAMIS_EMBEDDER_OLLAMA_CONCURRENCY"] = str(CONCURRENCY)
        with tamis.open(home) as library:
            corpus = library.index("bench", [folder], embedder="ollama:stand-in", dense=False)
            corpus.health()  # imports the client and gets acquainted with the server
            start, cpu = time.perf_counter(), time.process_time()
            report = corpus.embed()
            return report.newly_embedded_chunks, time.perf_counter() - start, time.process_time() - cpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("latency", nargs="*", type=float, default=[0, 5, 50], help="milliseconds a request")
    chosen = parser.parse_args()
    print(f"{'latency ms':>10} {'chunks':>7} {'wall s':>7} {'ideal s':>8} {'over s':>7} {'CPU s':>6}")
    for latency in chosen.latency:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place, "notes")
            folder.mkdir()
            write_notes(folder)
            chunks, wall, cpu = measure(latency, folder, Path(place, "home"))
        ideal = math.ceil(chunks / BATCH) * latency / 1000 / CONCURRENCY
        print(f"{latency:>10g} {chunks:>7} {wall:>7.2f} {ideal:>8.2f} {wall - ideal:>7.2f} {cpu:>6.2f}")


if __name__ == "__main__":
    main()
