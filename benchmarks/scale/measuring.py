"""How long things take, and the table that says so."""

from __future__ import annotations

import resource
import statistics
import time
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


Result = TypeVar("Result")


class Row(NamedTuple):
    """A line of the table; milliseconds a query, seconds to build."""

    name: str
    p50: float
    p95: float
    build: float


def row(name: str, build: float, ask: Callable[[str], object], queries: Sequence[str]) -> Row:
    """Ask every query once to warm up and once to measure."""
    for query in queries[:20]:
        ask(query)
    times: list[float] = []
    for query in queries:
        start = time.perf_counter()
        ask(query)
        times.append((time.perf_counter() - start) * 1000)
    return Row(name, statistics.median(times), statistics.quantiles(times, n=20)[18], build)


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    """Seconds that ``work`` took, and its result."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def show(title: str, rows: Sequence[Row]) -> None:
    print(f"\n### {title}\n\n| | p50 ms | p95 ms | build s |\n|---|---|---|---|")
    for line in rows:
        print(f"| {line.name} | {line.p50:.2f} | {line.p95:.2f} | {line.build:.1f} |")


def peak_mb() -> float:
    """Most memory that this process ever held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
