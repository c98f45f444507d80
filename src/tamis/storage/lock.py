"""The locks that the processes that work on a corpus queue on."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from tamis.errors import CorpusBusyError
from tamis.storage.connection import DENIED, not_writable, writable

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path


class CorpusLock:
    """One holder at a time. The operating system frees the lock of a process that dies, however it dies.

    ``name`` is ``write``, held while the truth and its indexes change, or ``embed``, held by the one process that embeds
    what is pending (long, and most of it without the write lock). The holder's PID and since when are noted beside
    the lock, for the error of those who wait too long.
    """

    def __init__(self, folder: Path, name: Literal["write", "embed"]) -> None:
        self._path = folder / f"{name}.lock"
        self._note = folder / f"{name}.holder.json"

    @property
    def possible(self) -> bool:
        """Whether it can be held at all: not where the folder may not be written to."""
        return writable(self._path)

    @contextmanager
    def hold(self, wait: float) -> Generator[None]:
        """Hold the lock, waiting up to ``wait`` seconds for it (0: do not wait).

        Raises:
            CorpusBusyError: Another writer held it all that time; names its PID and since when.
            CorpusError: The folder may not be written to.
        """
        from filelock import FileLock, Timeout  # not needed to search

        # A lock object of its own for each call, so that two threads of one process exclude each other as well.
        lock = FileLock(self._path, timeout=wait, thread_local=False, preserve_lock_file=True)
        try:
            lock.acquire(poll_interval=0.02)
        except Timeout:
            raise CorpusBusyError(
                f"another writer is at work on this corpus: {self._holder()}",
                hint=f"waited {wait:g} s; wait for it to finish, or raise lock_wait_seconds in the configuration",
            ) from None
        except OSError as error:
            if error.errno not in DENIED:
                raise
            raise not_writable(self._path.parent, str(error.strerror)) from error
        try:
            note = {"pid": os.getpid(), "since": datetime.now(UTC).isoformat(timespec="seconds")}
            self._note.write_text(json.dumps(note), encoding="utf-8")
            yield
        finally:
            self._note.unlink(missing_ok=True)
            lock.release()

    def _holder(self) -> str:
        try:
            note = json.loads(self._note.read_text(encoding="utf-8"))
            return f"process {note['pid']}, since {note['since']}"
        except (OSError, ValueError, KeyError, TypeError):
            return "a process that has just taken it"
