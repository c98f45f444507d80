"""A small log of the user's own searches, from which ``tamis eval --make-gold`` drafts.

Its lines are those that ``tamis.evaluate.read_search_log`` reads. It stays on this machine, readable by its user alone, and
``[search] log = false`` turns it off.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Final

from tamis.storage.connection import DENIED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from tamis.evaluate import LoggedSearch
    from tamis.types import Hit

FILE_NAME: Final = "searches.jsonl"
RESULTS: Final = 10
MAX_BYTES: Final = 1_000_000
"""Then the file becomes the old one, and the old one goes: 2 MB at most, thousands of searches."""


def log_search(home: Path, query: str, hits: Iterable[Hit]) -> str | None:
    """Append a search that found something; what went wrong, if anything did: a search must not fail for its log.

    A home that may only be read keeps no log, and nothing is wrong with that.

    Safe from several processes: a line is one write to a file that is opened for appending.
    """
    results = ["#".join((hit.path, *hit.heading_path[-1:])) for hit in hits][:RESULTS]
    if not results or not query.strip():
        return None
    line = json.dumps({"query": query, "results": results})  # ASCII: whatever a path holds can be written
    path = home / FILE_NAME
    try:
        _rotate(path)
        log = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(log, (line + "\n").encode())
        finally:
            os.close(log)
    except OSError as error:
        if error.errno in DENIED:
            return None
        return f"the search was not logged: {error.strerror}"
    return None


def logged_searches(home: Path, told: Callable[[str], None] = lambda _: None) -> list[LoggedSearch]:
    """The searches that are kept, oldest first; ``told`` as in ``read_search_log``."""
    from tamis.evaluate import read_search_log

    files = [_old(home / FILE_NAME), home / FILE_NAME]
    return [search for file in files if file.exists() for search in read_search_log(file, told)]


def _old(path: Path) -> Path:
    return path.with_suffix(".old.jsonl")


def _rotate(path: Path) -> None:
    """Start a new file where this one is full; one process does it."""
    if _size(path) < MAX_BYTES:
        return
    from filelock import FileLock, Timeout

    try:
        with FileLock(path.with_suffix(".lock"), timeout=0):
            if _size(path) >= MAX_BYTES:
                path.replace(_old(path))
    except Timeout:
        pass


def _size(path: Path) -> int:
    """0 where there is no file, or none for the moment: another process may just have put it aside."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
