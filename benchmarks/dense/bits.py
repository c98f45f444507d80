"""What codes of two, three and four bits find of the best, among how many candidates, and how long the scan takes."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from turbovec import IdMapIndex

from benchmarks.dense.scan import DIMENSIONS, clustered, exact

if TYPE_CHECKING:
    from collections.abc import Iterator

WIDTHS = (4, 3, 2)
CANDIDATES = (100, 200, 300)


def bits(count: int) -> Iterator[str]:
    """The lines of the report for ``count`` clustered vectors."""
    rows, queries = clustered(count)
    best = [exact(rows, query) for query in queries]
    yield f"{count:,} vectors, codes of so many bits"
    for width in WIDTHS:
        index = IdMapIndex(dim=DIMENSIONS, bit_width=width)
        index.add_with_ids(rows, np.arange(count, dtype=np.uint64))
        index.prepare()
        for candidates in CANDIDATES:
            times: list[float] = []
            shares: list[tuple[float, float]] = []
            for query, wanted in zip(queries, best, strict=True):
                begun = perf_counter()
                found = index.search(query[np.newaxis], candidates)[1][0].astype(np.int64)
                times.append((perf_counter() - begun) * 1e3)
                shares.append((np.isin(wanted[:10], found).mean(), np.isin(wanted, found).mean()))
            ten, hundred = np.mean(shares, axis=0)
            yield f"  {width} bits, {candidates} candidates: p50 {np.median(times):6.2f} ms   of the best 10 {ten:.4f}, 100 {hundred:.4f}"
