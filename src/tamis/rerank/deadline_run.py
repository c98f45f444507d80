"""Running something that may never return."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class LateError(Exception):
    """The deadline passed before there was a result."""


def run_within(seconds: float, work: Callable[[], T]) -> T:
    """The result of ``work``, or what it raised.

    It runs in a thread of its own, which is left to itself when the time is up: it can't hold up the caller, nor the
    process at its end.

    Raises:
        LateError: ``work`` took longer than ``seconds``.
    """
    outcome: _Outcome[T] = _Outcome(work)
    threading.Thread(target=outcome.run, name="tamis-reranker", daemon=True).start()
    return outcome.wait(seconds)


class _Outcome(Generic[T]):
    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self._done = threading.Event()
        self._results: list[T] = []
        self._error: BaseException | None = None

    def run(self) -> None:
        try:
            self._results.append(self._work())
        except BaseException as error:  # noqa: BLE001 - handed to the thread that waits
            self._error = error
        finally:
            self._done.set()

    def wait(self, seconds: float) -> T:
        if not self._done.wait(min(seconds, threading.TIMEOUT_MAX)):
            raise LateError
        if self._error is not None:
            raise self._error
        return self._results[0]
