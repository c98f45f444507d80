"""How long things take, and the table that says so."""

from __future__ import annotations

import resource
import statistics
import time
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


Result = TypeVar("Result")

WARMING = 20
TURN = 10


class System(NamedTuple):
    """What can be asked, the seconds that it took to build (0 where it shares another's), and how many queries to ask."""

    name: str
    build: float
    ask: Callable[[str], object]
    queries: int | None = None


class Row(NamedTuple):
    """A line of the table; milliseconds a query, seconds to build."""

    name: str
    p50: float
    p95: float
    build: float


def measured(systems: Sequence[System], queries: Sequence[str]) -> list[Row]:
    """Ask every system every query, some queries at a time, so that the machine's good and bad moments meet all alike."""
    times: dict[str, list[float]] = {system.name: [] for system in systems}
    for system in systems:
        for query in queries[:WARMING]:
            system.ask(query)
    for first in range(0, len(queries), TURN):
        for system in systems:
            last = min(first + TURN, len(queries) if system.queries is None else system.queries)
            for query in queries[first:last]:
                start = time.perf_counter()
                system.ask(query)
                times[system.name].append((time.perf_counter() - start) * 1000)
    return [
        Row(system.name, statistics.median(own), statistics.quantiles(own, n=20)[18], system.build)
        for system, own in ((system, times[system.name]) for system in systems)
    ]


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    """Seconds that ``work`` took, and its result."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def show(title: str, rows: Sequence[Row]) -> None:
    print(f"\n### {title}\n\n| | p50 ms | p95 ms | build s |\n|---|---|---|---|")
    for line in rows:
        build = f"{line.build:.1f}" if line.build else ""
        print(f"| {line.name} | {line.p50:.2f} | {line.p95:.2f} | {build} |")


def peak_mb() -> float:
    """Most memory that this process ever held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
