"""The truth of one corpus: ``corpus.db``."""

from __future__ import annotations

import threading
import uuid
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tamis.storage import rows, schema
from tamis.storage.connection import connect, translated
from tamis.storage.snapshot import Snapshot
from tamis.storage.write import Write, now
from tamis.types import Manifest

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Generator
    from pathlib import Path

    from tamis.types import Settings


class Truth:
    """Snapshots to read from and writes to change it with. Safe to use from threads.

    Raises:
        CorpusFormatError: Not a corpus, damaged, or written by a newer tamis.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._idle: list[sqlite3.Connection] = []
        self._guard = threading.Lock()
        with translated(path):
            db = connect(path)
            try:
                schema.migrate(db)
            except BaseException:
                db.close()
                raise
        self._idle.append(db)

    @contextmanager
    def snapshot(self) -> Generator[Snapshot]:
        """A consistent view, for as long as the context is open; blocks no writer and is blocked by none."""
        with self._connection() as db:
            db.execute("BEGIN")
            try:
                yield Snapshot(db)
            finally:
                db.execute("ROLLBACK")

    @contextmanager
    def write(self) -> Generator[Write]:
        """A write, committed when the context ends well and undone when it does not.

        Only a holder of the corpus lock may write.
        """
        with self._connection() as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                write = Write(db)
                yield write
                write.finish()
                db.execute("COMMIT")
            except BaseException:
                db.execute("ROLLBACK")
                raise

    def exists(self) -> bool:
        """Whether a corpus was ever created here."""
        with self._connection() as db:
            return db.execute("SELECT 1 FROM meta WHERE key = 'manifest'").fetchone() is not None

    def create(self, name: str, settings: Settings) -> None:
        """Write the first manifest, at generation 0."""
        manifest = Manifest(name, uuid.uuid4().hex, settings, created_at=now())
        with self._connection() as db:
            db.execute(
                "INSERT OR IGNORE INTO meta (key, value) VALUES ('manifest', ?)",
                (rows.encode(manifest).decode(),),
            )

    def close(self) -> None:
        """Close the idle connections."""
        with self._guard:
            while self._idle:
                self._idle.pop().close()

    @contextmanager
    def _connection(self) -> Generator[sqlite3.Connection]:
        with self._guard:
            db = self._idle.pop() if self._idle else None
        with translated(self._path):
            db = db or connect(self._path)
            try:
                yield db
            except BaseException:
                if not db.in_transaction:
                    self._release(db)
                else:
                    db.close()
                raise
            self._release(db)

    def _release(self, db: sqlite3.Connection) -> None:
        with self._guard:
            self._idle.append(db)
