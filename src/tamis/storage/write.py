"""One write: one transaction that moves the corpus from generation g to g + 1."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tamis.storage import rows
from tamis.storage.snapshot import Snapshot

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from tamis.types import FailedPath, FileStat, Fingerprint, Manifest, NewFile


def now() -> str:
    """The time in UTC as the truth stores it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Write:
    """Changes that become visible together. Made by ``Truth.write``, which commits or rolls back."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._before = Snapshot(db).manifest
        self._changes: dict[str, Any] = {}
        self._text_changed = False
        self.generation = self._before.generation + 1

    # -- files --------------------------------------------------------------------------------------------

    def put_file(self, new: NewFile) -> None:
        """Put a file's new version in the place of the one that lives, if any."""
        self.drop_file(new.path)
        columns = (
            new.path, new.relative_path, new.content_hash, new.stat.size, new.stat.mtime_ns, new.title, new.kind,
            new.lexical_only, new.amended, len(new.chunks), sum(len(chunk.text) for chunk in new.chunks), self.generation,
        )  # fmt: skip
        cursor = self._db.execute(
            """INSERT INTO files (path, relative_path, content_hash, size, mtime_ns, title, kind, lexical_only,
            amended, chunks, chars, born) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            columns,
        )
        text_ids = self.text_ids(new.texts)
        self._db.executemany(
            """INSERT INTO chunks (file_id, chunk_index, text, char_start, char_end, line_first, line_last,
            heading_path, type, text_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            (
                (
                    cursor.lastrowid, chunk.index, chunk.text, chunk.start, chunk.end, *chunk.lines,
                    rows.encode(chunk.heading_path).decode(), chunk.type, text_id,
                )
                for chunk, text_id in zip(new.chunks, text_ids, strict=True)
            ),
        )  # fmt: skip
        self._text_changed = True

    def text_ids(self, texts: Sequence[str]) -> list[int]:
        """The id of each text, given out if it is new."""
        digests = [rows.text_hash(text) for text in texts]
        self._db.executemany(
            "INSERT OR IGNORE INTO texts (hash) VALUES (?)", ((digest,) for digest in digests)
        )
        query = "SELECT id FROM texts WHERE hash = ?"
        return [self._db.execute(query, (digest,)).fetchone()[0] for digest in digests]

    def drop_file(self, path: str) -> None:
        """End the life of a file's living version; nothing happens if there is none."""
        cursor = self._db.execute(
            "UPDATE files SET died = ? WHERE path = ? AND died IS NULL", (self.generation, path)
        )
        self._text_changed = self._text_changed or cursor.rowcount > 0

    def touch_file(self, file_id: int, stat: FileStat) -> None:
        """Record a new size and time of a file whose content is unchanged."""
        self._db.execute(
            "UPDATE files SET size = ?, mtime_ns = ? WHERE id = ?", (stat.size, stat.mtime_ns, file_id)
        )

    def set_failed_paths(self, failed: Iterable[FailedPath]) -> None:
        """Replace the list of paths that could not be indexed."""
        self._db.execute("DELETE FROM failed_paths")
        self._db.executemany(
            "INSERT OR REPLACE INTO failed_paths (path, reason, code, size, mtime_ns) VALUES (?, ?, ?, ?, ?)",
            (
                (
                    item.path,
                    item.reason,
                    item.code,
                    *((item.stat.size, item.stat.mtime_ns) if item.stat else (None, None)),
                )
                for item in failed
            ),
        )

    def record_amend(self, path: str, before: int, after: int) -> None:
        self._db.execute(
            "INSERT INTO amends (path, amended_at, chunks_before, chunks_after) VALUES (?, ?, ?, ?)",
            (path, now(), before, after),
        )

    def clear_amends(self) -> None:
        """Say that every file stands as on disk again, but those whose amended text is still served; the history stays."""
        self._db.execute(
            """UPDATE amends SET cleared_at = ? WHERE cleared_at IS NULL AND NOT EXISTS (
                SELECT 1 FROM files f WHERE f.path = amends.path AND f.died IS NULL AND f.amended)""",
            (now(),),
        )

    # -- vectors ------------------------------------------------------------------------------------------

    def add_model(self, fingerprint: Fingerprint) -> int:
        """The id of the set of vectors with this fingerprint, made if new."""
        text = rows.encode(fingerprint).decode()
        self._db.execute("INSERT OR IGNORE INTO models (fingerprint) VALUES (?)", (text,))
        (model_id,) = self._db.execute("SELECT id FROM models WHERE fingerprint = ?", (text,)).fetchone()
        return int(model_id)

    def use_model(self, model_id: int, fingerprint: Fingerprint, embedder: str = "") -> None:
        """Answer searches from this set of vectors from now on, and embed queries with the embedder of that name."""
        self.change(model_id=model_id, fingerprint=fingerprint, model_embedder=embedder)

    def drop_vectors_except(self, model_id: int) -> int:
        """Forget all vectors but those of one model; returns how many there were.

        The models keep their ids: a derived index may still bear one.
        """
        self._db.execute("DELETE FROM failed_texts WHERE model_id <> ?", (model_id,))
        return self._db.execute("DELETE FROM vectors WHERE model_id <> ?", (model_id,)).rowcount

    def put_vectors(self, model_id: int, text_ids: Sequence[int], data: NDArray[np.float16]) -> None:
        """Store the vector of each text: ``data`` has a row for each id."""
        self._db.executemany(
            "INSERT OR REPLACE INTO vectors (model_id, text_id, born, data) VALUES (?, ?, ?, ?)",
            (
                (model_id, key, self.generation, row.tobytes())
                for key, row in zip(text_ids, data, strict=True)
            ),
        )

    def put_failed_texts(self, model_id: int, reasons: Mapping[int, str]) -> None:
        """Set texts (id → reason) aside that the model would not embed."""
        self._db.executemany(
            "INSERT OR REPLACE INTO failed_texts (model_id, text_id, reason) VALUES (?, ?, ?)",
            ((model_id, key, reason) for key, reason in reasons.items()),
        )

    def retry_failed_texts(self) -> None:
        self._db.execute("DELETE FROM failed_texts")

    def drop_orphans(self, keep: int) -> None:
        """Forget texts that no chunk has any more, with their vectors, if there are more than ``keep`` of them and more
        than there are texts in use."""
        (texts,) = self._db.execute("SELECT count(*) FROM texts").fetchone()
        (used,) = self._db.execute("SELECT count(DISTINCT text_id) FROM chunks").fetchone()
        if texts - used <= max(keep, used):
            return
        for table, column in (("vectors", "text_id"), ("failed_texts", "text_id"), ("texts", "id")):
            self._db.execute(
                f"DELETE FROM {table} WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.text_id = {table}.{column})"
            )

    # -- the manifest -------------------------------------------------------------------------------------

    def change(self, **fields: Any) -> None:
        """Change fields of the manifest."""
        self._changes |= fields

    def purge(self, through: int) -> None:
        """Delete file versions that died at or before ``through``: no derived index holds them any more."""
        dead = "SELECT id FROM files WHERE died <= ?"
        (last,) = self._db.execute("SELECT max(died) FROM files WHERE died <= ?", (through,)).fetchone()
        if last is None:
            return
        self._db.execute(f"DELETE FROM chunks WHERE file_id IN ({dead})", (through,))
        self._db.execute("DELETE FROM files WHERE died <= ?", (through,))
        self.change(purged_through=last)

    def finish(self) -> Manifest:
        """Write the manifest of the new generation."""
        if self._text_changed:
            self.change(text_generation=self.generation)
        after = replace(self._before, generation=self.generation, **self._changes)
        self._db.execute("UPDATE meta SET value = ? WHERE key = 'manifest'", (rows.encode(after).decode(),))
        return after
