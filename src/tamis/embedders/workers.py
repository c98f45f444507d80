"""Python threads that run one text each: onnxruntime and tokenizers let go of the interpreter lock."""

from __future__ import annotations

import math
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Item = TypeVar("Item")
    Result = TypeVar("Result")


# A worker at the longest input of bge-small takes 50 MB; more of them would not leave an index run under 1 GB.
MOST = 16
# Where a container on Linux is told its share of the machine: microseconds of processor time in each period.
CPU_LIMIT = Path("/sys/fs/cgroup/cpu.max")


class Workers:
    """A pool of ``count`` threads (0: one a core that this process may use), started when first needed."""

    def __init__(self, count: int) -> None:
        self._count = count or _usable_cores()
        self._pool: ThreadPoolExecutor | None = None
        self._starting = threading.Lock()

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        """Results in the order of ``items``, which are begun in that order.

        What was not begun when one fails, or when the wait is interrupted, is never begun.
        """
        if self._count == 1 or len(items) <= 1:
            return [function(item) for item in items]
        with self._starting:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self._count, "tamis-embed")
        futures = [self._pool.submit(function, item) for item in items]
        try:
            return [future.result() for future in futures]
        except BaseException:
            for future in futures:
                future.cancel()
            raise


def _usable_cores() -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with suppress(OSError, ValueError):  # no such file, or no limit ("max")
        quota, period = CPU_LIMIT.read_text().split()
        cores = min(cores, math.ceil(int(quota) / int(period)))
    return max(1, min(cores, MOST))
