"""The truth of one corpus: ``corpus.db``."""

from __future__ import annotations

import threading
import uuid
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tamis.storage import rows, schema
from tamis.storage.connection import Frozen, connect, translated
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
                if schema.version(db):  # without tables it is ``create`` that makes them
                    schema.migrate(db)
            except BaseException:
                db.close()
                raise
        self._release(db)

    @contextmanager
    def snapshot(self) -> Generator[Snapshot]:
        """A consistent view, for as long as the context is open; blocks no writer and is blocked by none.

        Raises:
            CorpusNotFoundError: No corpus was made here yet.
        """
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
            return schema.manifest(db) is not None

    def create(self, name: str, settings: Settings) -> None:
        """Make the corpus, at generation 0; one that is there already stays as it is."""
        manifest = Manifest(name, uuid.uuid4().hex, settings, created_at=now())
        with self._connection() as db:
            schema.make(db, rows.encode(manifest).decode())

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
        if isinstance(db, Frozen):
            db.close()  # it would not see what the owner of the folder writes meanwhile
            return
        with self._guard:
            self._idle.append(db)
