"""Noticing that the process that started this one is gone."""

from __future__ import annotations

import os
import select
import time

POLL_SECONDS = 0.25


def wait_for_parents_end() -> None:
    """Return when the parent has ended. A pipe to it may stay open, held by another of its children."""
    parent = os.getppid()
    if hasattr(os, "pidfd_open"):
        try:
            handle = os.pidfd_open(parent)
        except OSError:
            pass  # it ended just now, belongs to another process namespace, or the kernel is too old
        else:
            if os.getppid() == parent:
                select.select([handle], [], [])
            os.close(handle)
            return
    while os.getppid() == parent:
        time.sleep(POLL_SECONDS)
