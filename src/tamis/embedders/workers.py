"""Python threads that run one text each: onnxruntime and tokenizers let go of the interpreter lock."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Item = TypeVar("Item")
    Result = TypeVar("Result")


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
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
