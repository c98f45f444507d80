"""The tables of ``corpus.db``, as numbered migrations.

A file version lives from generation ``born`` until ``died`` (NULL while it lives), so that readers whose lexical index is
a generation behind still see one consistent corpus. Its chunks live exactly as long. Dead versions are purged by a
later write, once both derived indexes have passed their death.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from tamis.errors import CorpusFormatError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Generator

APPLICATION_ID = 0x74616D69  # "tami": tells a corpus from any other SQLite file


def _initial(db: sqlite3.Connection) -> None:
    for statement in (
        "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
        """CREATE TABLE files (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            path TEXT NOT NULL,
            relative_path TEXT NOT NULL,
            content_hash TEXT NOT NULL,
            size INTEGER NOT NULL,
            mtime_ns INTEGER NOT NULL,
            title TEXT NOT NULL,
            kind TEXT NOT NULL,
            lexical_only INTEGER NOT NULL,
            amended INTEGER NOT NULL,
            chunks INTEGER NOT NULL,
            chars INTEGER NOT NULL,
            born INTEGER NOT NULL,
            died INTEGER)""",
        "CREATE UNIQUE INDEX files_live ON files (path) WHERE died IS NULL",
        "CREATE INDEX files_born ON files (born)",
        "CREATE INDEX files_died ON files (died) WHERE died IS NOT NULL",
        # What is embedded, by hash: equal passages, moved files and re-runs share one row and one vector.
        "CREATE TABLE texts (id INTEGER PRIMARY KEY AUTOINCREMENT, hash BLOB NOT NULL UNIQUE)",
        """CREATE TABLE chunks (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            file_id INTEGER NOT NULL REFERENCES files (id),
            chunk_index INTEGER NOT NULL,
            text_id INTEGER NOT NULL REFERENCES texts (id),
            char_start INTEGER NOT NULL,
            char_end INTEGER NOT NULL,
            line_first INTEGER NOT NULL,
            line_last INTEGER NOT NULL,
            heading_path TEXT NOT NULL,
            type TEXT NOT NULL,
            text TEXT NOT NULL)""",  # last, so that nothing else of a long row is on an overflow page
        "CREATE INDEX chunks_file ON chunks (file_id, chunk_index)",
        "CREATE INDEX chunks_text ON chunks (text_id)",
        "CREATE TABLE models (id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE)",
        """CREATE TABLE vectors (
            model_id INTEGER NOT NULL REFERENCES models (id),
            text_id INTEGER NOT NULL REFERENCES texts (id),
            born INTEGER NOT NULL,
            data BLOB NOT NULL,
            PRIMARY KEY (model_id, text_id)) WITHOUT ROWID""",
        "CREATE INDEX vectors_born ON vectors (model_id, born)",
        """CREATE TABLE failed_texts (
            model_id INTEGER NOT NULL REFERENCES models (id),
            text_id INTEGER NOT NULL REFERENCES texts (id),
            reason TEXT NOT NULL,
            PRIMARY KEY (model_id, text_id)) WITHOUT ROWID""",
        # Size and time of a file that failed (NULL where there is no file to stat): it is not tried again until it changes.
        """CREATE TABLE failed_paths (
            path TEXT PRIMARY KEY,
            reason TEXT NOT NULL,
            code TEXT NOT NULL,
            size INTEGER,
            mtime_ns INTEGER) WITHOUT ROWID""",
        """CREATE TABLE amends (
            id INTEGER PRIMARY KEY,
            path TEXT NOT NULL,
            amended_at TEXT NOT NULL,
            chunks_before INTEGER NOT NULL,
            chunks_after INTEGER NOT NULL,
            cleared_at TEXT)""",
    ):
        db.execute(statement)


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (_initial,)
SCHEMA_VERSION = len(MIGRATIONS)


def version(db: sqlite3.Connection) -> int:
    """The schema version of an open database; 0 when it has no tables yet.

    Raises:
        CorpusFormatError: It is some other program's database, or a newer tamis wrote it.
    """
    application, found, tables = _heading(db)
    if application != APPLICATION_ID and (application or found or tables):
        raise CorpusFormatError("corpus.db is not a tamis corpus", hint="move it away and index again")
    if found > SCHEMA_VERSION:
        raise CorpusFormatError(
            f"this corpus was written by a newer tamis (format {found}, this one knows {SCHEMA_VERSION})",
            hint="upgrade tamis; the corpus was left as it is",
        )
    return found


def manifest(db: sqlite3.Connection) -> str | None:
    """The stored manifest; ``None`` in a database that no corpus was made in yet."""
    if not version(db):
        return None
    row = db.execute("SELECT value FROM meta WHERE key = 'manifest'").fetchone()
    return None if row is None else str(row[0])


def migrate(db: sqlite3.Connection) -> None:
    """Bring the database to ``SCHEMA_VERSION``, each migration in a transaction with the version that it reaches."""
    while version(db) < SCHEMA_VERSION:
        with _transaction(db):
            _step(db)


def make(db: sqlite3.Connection, manifest: str) -> None:
    """Make the tables and the first manifest in one transaction: a corpus is there as a whole or not at all.

    Nothing changes where there is a manifest already.
    """
    with _transaction(db):
        while version(db) < SCHEMA_VERSION:
            _step(db)
        db.execute("INSERT OR IGNORE INTO meta (key, value) VALUES ('manifest', ?)", (manifest,))


def _heading(db: sqlite3.Connection) -> tuple[int, int, int]:
    """Application, version and number of tables, as of one moment: another process may be making the corpus."""
    begun = not db.in_transaction
    if begun:
        db.execute("BEGIN")
    try:
        (application,) = db.execute("PRAGMA application_id").fetchone()
        (found,) = db.execute("PRAGMA user_version").fetchone()
        (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        return application, found, tables
    finally:
        if begun:
            db.execute("ROLLBACK")


def _step(db: sqlite3.Connection) -> None:
    """The next migration, if another process did not make it first."""
    number = version(db)
    if number < SCHEMA_VERSION:
        MIGRATIONS[number](db)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {number + 1}")


@contextmanager
def _transaction(db: sqlite3.Connection) -> Generator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise
