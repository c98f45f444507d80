"""A lock that many may share or one may hold alone."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator


class SharedLock:
    """Searches share it, changes hold it alone; who waits to hold it alone goes before new sharers."""

    def __init__(self) -> None:
        self._condition = threading.Condition(threading.Lock())
        self._sharers = 0
        self._held = False
        self._waiting = 0

    @contextmanager
    def shared(self) -> Generator[None]:
        with self._condition:
            while self._held or self._waiting:
                self._condition.wait()
            self._sharers += 1
        try:
            yield
        finally:
            with self._condition:
                self._sharers -= 1
                if not self._sharers:
                    self._condition.notify_all()

    @contextmanager
    def alone(self) -> Generator[None]:
        with self._condition:
            self._waiting += 1
            try:
                while self._held or self._sharers:
                    self._condition.wait()
                self._held = True
            finally:
                self._waiting -= 1
        try:
            yield
        finally:
            with self._condition:
                self._held = False
                self._condition.notify_all()
