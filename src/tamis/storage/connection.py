"""Connections to a corpus's database, and what SQLite's errors mean to a user."""

from __future__ import annotations

import errno
import os
import sqlite3
import stat
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from tamis.errors import CorpusBusyError, CorpusError, CorpusFormatError
from tamis.storage import schema

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from pathlib import Path

# Writers queue on the corpus lock, so SQLite's own lock is only ever held for moments (a checkpoint, a migration).
BUSY_MS = 10_000
PAGE_BYTES = 8192  # a row with a 384-dimension float16 vector stays on its page
WRITING = (
    f"page_size = {PAGE_BYTES}",
    "journal_mode = WAL",
    # A commit is on the disk when it returns: a derived index never gets ahead of a truth that a power cut took back.
    "synchronous = FULL",
)
# What the system says where somebody may not write.
DENIED = (errno.EACCES, errno.EPERM, errno.EROFS)
READING = ("cache_size = -16000", "mmap_size = 1073741824", "temp_store = MEMORY")


class Frozen(sqlite3.Connection):
    """A connection that takes the file for one that never changes; for a moment's use."""


def connect(path: Path) -> sqlite3.Connection:
    """An autocommit connection in WAL mode; the file is made if it is not there.

    Where the folder may not be written to it is a connection to read with.

    Raises:
        CorpusFormatError: Not a corpus, damaged, or written by a newer tamis; the file is left as it was.
        CorpusError: It cannot be opened.
    """
    with translated(path):
        if not writable(path):
            return _configured(_to_read(path), READING)
        db = _open(path, "rwc")
        try:
            schema.version(db)  # before anything that could write
            return _configured(db, WRITING + READING)
        except BaseException:
            db.close()
            raise


def made(path: Path) -> bool:
    """Whether a corpus was made in this file. One that cannot be told counts as made, so that its fault is seen."""
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    if not (stat.S_ISREG(status.st_mode) and status.st_size):
        return False
    try:
        with translated(path), closing(_open(path, "rw") if writable(path) else _to_read(path)) as db:
            return schema.manifest(db) is not None
    except CorpusError:
        return True


def writable(path: Path) -> bool:
    """Whether a corpus's file, and with it the files that SQLite puts beside it, may be written."""
    effective = os.access in os.supports_effective_ids
    return os.access(path.parent, os.W_OK | os.X_OK, effective_ids=effective) and (
        not path.exists() or os.access(path, os.W_OK, effective_ids=effective)
    )


def not_writable(folder: Path, reason: str) -> CorpusError:
    """The error for a folder that a change needs and that may not be written to."""
    return CorpusError(
        f"{folder} cannot be written to: {reason}",
        hint="a search needs no more than to read it; to change it, make it writable or keep corpora elsewhere (--home, TAMIS_HOME)",
    )


def _to_read(path: Path) -> sqlite3.Connection:
    """A connection to a file in a folder where no file can be made.

    Without the files of a log, which may be there or not, SQLite reads only what it is told will not change.
    """
    db = _open(path, "ro")
    try:
        schema.version(db)
    except sqlite3.OperationalError as error:
        db.close()
        name = getattr(error, "sqlite_errorname", "")
        if not name.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY")) or _logged(path):
            raise
    except BaseException:
        db.close()
        raise
    else:
        return db
    db = _open(path, "ro&immutable=1", Frozen)
    try:
        schema.version(db)
    except BaseException:
        db.close()
        raise
    return db


def _logged(path: Path) -> bool:
    """Whether changes wait in the log, without which the file may be of no one generation."""
    try:
        return path.with_name(f"{path.name}-wal").stat().st_size > 0
    except OSError:
        return False


def _open(path: Path, mode: str, kind: type[sqlite3.Connection] = sqlite3.Connection) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_MS / 1000,
        isolation_level=None,
        check_same_thread=False,
        factory=kind,
    )


def _configured(db: sqlite3.Connection, pragmas: Iterable[str]) -> sqlite3.Connection:
    for pragma in pragmas:
        db.execute(f"PRAGMA {pragma}").fetchall()
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
        if name.startswith("SQLITE_READONLY"):
            raise not_writable(path.parent, f"{error} ({name})") from error
        if name.startswith(("SQLITE_CANTOPEN", "SQLITE_PERM")):
            raise CorpusError(
                f"{path} cannot be opened: {error} ({name})",
                hint="see that you may read it; after a writer was killed somebody who may write in its folder has to open it first",
            ) from error
        raise CorpusError(f"{path}: {error} ({name})", hint="see tamis doctor") from error
