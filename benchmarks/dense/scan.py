"""Recall, latency, build time and size of the dense index, beside raw turbovec and a float32 matrix product."""

from __future__ import annotations

import tempfile
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from turbovec import IdMapIndex

from tamis.dense import TurbovecIndex
from tamis.types import Stamp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    Rows = NDArray[np.float32]

DIMENSIONS = 384
QUERIES = 200
DEPTH = 100
# As an index run commits them.
BATCH = 500


def scan(count: int) -> Iterator[str]:
    """The lines of the report for ``count`` clustered vectors."""
    rows, queries = clustered(count)
    half = rows.astype(np.float16)
    with tempfile.TemporaryDirectory() as folder:
        begun = perf_counter()
        index = TurbovecIndex(Path(folder) / "dense.tvim", DIMENSIONS)
        index.apply(Stamp("bench", 1), batches(half), [])
        built = perf_counter()
        index.save()
        saved = perf_counter()
        yield f"{count:,} vectors: built {built - begun:.2f} s, saved {(saved - built) * 1e3:.0f} ms"
        yield f"  opened in another process's place {_opened(folder):.0f} ms; one changed and saved {_amend(index, half):.1f} ms"
        raw = _raw(rows)
        everything = np.arange(count, dtype=np.uint64)
        tenth = everything[::10].copy()
        ways: dict[str, Callable[[Rows], NDArray[np.int64]]] = {
            "tamis": lambda q: ids(index, q),
            "tamis, rescored": lambda q: rescored(half, ids(index, q), q),
            "tamis, filter of all": lambda q: ids(index, q, everything),
            "tamis, filter of a tenth": lambda q: ids(index, q, tenth),
            "tamis, filter with unknown ids": lambda q: ids(index, q, everything + np.uint64(1)),
            "turbovec": lambda q: raw.search(q[np.newaxis], DEPTH)[1][0].astype(np.int64),
            "float32 product": lambda q: exact(rows, q),
        }
        times = _interleaved(ways, queries)
        for name in ways:
            p50, p95 = np.percentile(times[name], [50, 95])
            yield f"  {name:32s} p50 {p50:6.2f} ms   p95 {p95:6.2f} ms"
        for top, depth in ((10, DEPTH), (100, DEPTH), (100, DEPTH * 3 // 2)):
            recall = np.mean([_recall(index, rows, half, query, top, depth) for query in queries])
            yield f"  recall@{top} after rescoring {depth}: {recall:.4f}"


def clustered(count: int) -> tuple[Rows, Rows]:
    """Unit vectors around a thousand centres, and queries around the same."""
    random = np.random.default_rng(0)
    centres = random.standard_normal((1000, DIMENSIONS), np.float32)

    def around(n: int) -> Rows:
        rows = centres[random.integers(0, 1000, n)] + 0.7 * random.standard_normal(
            (n, DIMENSIONS), np.float32
        )
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    return around(count), around(QUERIES)


def batches(half: NDArray[np.float16]) -> Iterator[tuple[range, NDArray[np.float16]]]:
    for start in range(0, len(half), BATCH):
        yield range(start, min(start + BATCH, len(half))), half[start : start + BATCH]


def ids(
    index: TurbovecIndex, query: Rows, allowed: NDArray[np.uint64] | None = None, depth: int = DEPTH
) -> NDArray[np.int64]:
    return np.array([hit.id for hit in index.search(query, depth, ids=allowed)])


def rescored(half: NDArray[np.float16], found: NDArray[np.int64], query: Rows) -> NDArray[np.int64]:
    return found[np.argsort(-(half[found].astype(np.float32) @ query))]


def exact(rows: Rows, query: Rows, depth: int = DEPTH) -> NDArray[np.int64]:
    scores = rows @ query
    best = np.argpartition(-scores, depth)[:depth]
    return best[np.argsort(-scores[best])]


def _recall(
    index: TurbovecIndex, rows: Rows, half: NDArray[np.float16], query: Rows, top: int, depth: int
) -> float:
    found = rescored(half, ids(index, query, depth=depth), query)[:top]
    return len(np.intersect1d(found, exact(rows, query, top))) / top


def _raw(rows: Rows) -> IdMapIndex:
    index = IdMapIndex(dim=DIMENSIONS, bit_width=4)
    index.add_with_ids(rows, np.arange(len(rows), dtype=np.uint64))
    index.prepare()
    return index


def _interleaved(ways: dict[str, Callable[[Rows], object]], queries: Rows) -> dict[str, list[float]]:
    """Milliseconds of each way on each query, taken in turns, so that a busy machine is busy for all."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    for query in queries:
        for name, way in ways.items():
            begun = perf_counter()
            way(query)
            times[name].append((perf_counter() - begun) * 1e3)
    return times


def _opened(folder: str) -> float:
    begun = perf_counter()
    TurbovecIndex(Path(folder) / "dense.tvim", DIMENSIONS).stamp()
    return (perf_counter() - begun) * 1e3


def _amend(index: TurbovecIndex, half: NDArray[np.float16]) -> float:
    times: list[float] = []
    for generation in range(2, 12):
        begun = perf_counter()
        index.apply(Stamp("bench", generation), [([generation], half[generation : generation + 1])], [])
        index.save()
        times.append((perf_counter() - begun) * 1e3)
    return float(np.median(times))
