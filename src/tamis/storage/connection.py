"""Connections to a corpus's database, and what SQLite's errors mean to a user."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tamis.errors import CorpusBusyError, CorpusError, CorpusFormatError
from tamis.storage import schema

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

# Writers queue on the corpus lock, so SQLite's own lock is only ever held for moments (a checkpoint, a migration).
BUSY_MS = 10_000
PAGE_BYTES = 8192  # a row with a 384-dimension float16 vector stays on its page


def connect(path: Path) -> sqlite3.Connection:
    """An autocommit connection in WAL mode; the file is made if it is not there.

    Raises:
        CorpusFormatError: Not a corpus, damaged, or written by a newer tamis; the file is left as it was.
    """
    with translated(path):
        db = sqlite3.connect(path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False)
    try:
        with translated(path):
            schema.version(db)  # before anything that could write
            for pragma in (
                f"page_size = {PAGE_BYTES}",
                "journal_mode = WAL",
                # A commit is on the disk when it returns: a derived index never gets ahead of a truth that a power
                # cut took back.
                "synchronous = FULL",
                "cache_size = -16000",
                "mmap_size = 1073741824",
                "temp_store = MEMORY",
            ):
                db.execute(f"PRAGMA {pragma}").fetchall()
    except BaseException:
        db.close()
        raise
    return db


@contextmanager
def translated(path: Path) -> Generator[None]:
    """Turns SQLite's errors into ours.

    Raises:
        CorpusFormatError: The file is no database, or is damaged.
        CorpusBusyError: SQLite's lock could not be had in time.
        CorpusError: Anything else, such as a full disk.
    """
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "") or type(error).__name__
        if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
            raise CorpusFormatError(
                f"{path} is damaged or not a tamis corpus ({name})",
                hint="remove the corpus and index it again; your documents are untouched",
            ) from error
        if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            raise CorpusBusyError(f"{path} is locked ({name})", hint="try again in a moment") from error
        if name.startswith("SQLITE_FULL"):
            raise CorpusError(
                f"the disk is full: {path}", hint="free some room and run the same command again"
            ) from error
        raise CorpusError(f"{path}: {error} ({name})", hint="see tamis doctor") from error
