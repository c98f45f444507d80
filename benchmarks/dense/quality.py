"""nDCG@10 of the bundled encoder alone, whole documents, beside what was measured for it elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.quality.collection import collections
from benchmarks.quality.systems.peers import dense_alone
from benchmarks.quality.vectors import vectors_of
from tamis.evaluate import evaluate, parse_measure

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ELSEWHERE = {"scifact": 0.706, "cranfield": 0.510, "claude-docs": 0.673, "codebase-chunks": 0.632}


def quality(folder: Path, cache: Path, names: list[str]) -> Iterator[str]:
    """A line for each collection."""
    measure = parse_measure("nDCG@10")
    for collection in collections(folder, names):
        run = dense_alone(collection, vectors_of(collection, cache))
        value = evaluate(run, collection.gold, [measure]).mean(measure)
        known = ELSEWHERE.get(collection.name)
        beside = "" if known is None else f"   elsewhere {known:.3f}   difference {value - known:+.3f}"
        yield f"{collection.name:20s} {value:.4f}{beside}"
