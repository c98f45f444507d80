"""Scores that were computed, or paid for, once: kept in the corpus' home, so that asking again is free.

The oldest go first when the bound is passed: a read then never has to write.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

FORMAT = 1
FILE_NAME = "rerank-cache.db"
MAX_ENTRIES = 200_000
"""About 12 MB; 2,000 queries of 100 candidates."""

TRIM = 0.1
"""Share of the entries that goes when the bound is passed, so that not every search has to trim."""

WAIT_S = 2.0
"""Longest wait for another process; a cache that makes one wait longer than the reranker is none."""

MOST_VARIABLES = 500


@dataclass(frozen=True, slots=True)
class Scorer:
    """What a score depends on besides its text: driver, the driver's version, model (with options) and query."""

    driver: str
    version: str
    model: str
    query: str

    def key(self, text: str) -> bytes:
        """Identity of the score of ``text``; neither the query nor the text can be read from it."""
        digest = blake2b(digest_size=16)
        for part in (self.driver, self.version, self.model, self.query, text):
            data = part.encode("utf-8", "surrogatepass")
            digest.update(len(data).to_bytes(8, "big"))
            digest.update(data)
        return digest.digest()


class ScoreCache:
    """Scores by text, in ``folder``. Safe from several threads and processes.

    It never stands in the way: a file that is damaged, or of another format, is started anew, and one that can't be
    read or written at all is as good as empty; ``trouble`` then says why.
    """

    def __init__(self, folder: Path, *, max_entries: int = MAX_ENTRIES) -> None:
        self._path = folder / FILE_NAME
        self._max_entries = max_entries
        self.trouble: str | None = None

    def get(self, scorer: Scorer, texts: Sequence[str]) -> dict[str, float]:
        """The scores that are there, by text."""
        if not self._path.exists():
            return {}
        keys = {scorer.key(text): text for text in texts}
        try:
            with closing(self._open()) as db:
                return {keys[key]: score for key, score in self._read(db, list(keys))}
        except (OSError, sqlite3.Error) as error:
            self._give_up(error)
            return {}

    def put(self, scorer: Scorer, scores: Mapping[str, float]) -> None:
        """Keep the scores of these texts; those of the driver's other versions go."""
        try:
            with closing(self._open()) as db, db:
                db.execute("begin immediate")
                turn = db.execute("select coalesce(max(turn), 0) + 1 from score").fetchone()[0]
                db.executemany(
                    "insert or replace into score (key, driver, version, score, turn) values (?, ?, ?, ?, ?)",
                    [
                        (scorer.key(text), scorer.driver, scorer.version, score, turn)
                        for text, score in scores.items()
                    ],
                )
                db.execute(
                    "delete from score where driver = ? and version <> ?", (scorer.driver, scorer.version)
                )
                self._trim(db)
        except (OSError, sqlite3.Error) as error:
            self._give_up(error)

    def __len__(self) -> int:
        """Number of scores kept; 0 when there is no readable file."""
        if not self._path.exists():
            return 0
        try:
            with closing(self._open()) as db:
                return int(db.execute("select count(*) from score").fetchone()[0])
        except (OSError, sqlite3.Error):
            return 0

    @staticmethod
    def _read(db: sqlite3.Connection, keys: list[bytes]) -> list[tuple[bytes, float]]:
        found: list[tuple[bytes, float]] = []
        for start in range(0, len(keys), MOST_VARIABLES):
            part = keys[start : start + MOST_VARIABLES]
            marks = ", ".join("?" * len(part))
            found += db.execute(f"select key, score from score where key in ({marks})", part).fetchall()
        return found

    def _trim(self, db: sqlite3.Connection) -> None:
        count = db.execute("select count(*) from score").fetchone()[0]
        if count > self._max_entries:
            excess = count - int(self._max_entries * (1 - TRIM))
            db.execute(
                "delete from score where key in (select key from score order by turn limit ?)", (excess,)
            )

    def _open(self) -> sqlite3.Connection:
        try:
            return self._connect()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            self._path.unlink(missing_ok=True)  # not a database: nothing of worth is lost with it
            return self._connect()

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._path, timeout=WAIT_S)
        try:
            if _format(db) != FORMAT:
                self._create(db)
        except BaseException:
            db.close()
            raise
        return db

    @staticmethod
    def _create(db: sqlite3.Connection) -> None:
        with db:
            db.execute("begin immediate")
            if _format(db) == FORMAT:  # another process came first
                return
            db.execute("drop table if exists score")
            db.execute(
                "create table score (key blob primary key, driver text not null, version text not null,"
                " score real not null, turn integer not null) without rowid"
            )
            db.execute("create index score_turn on score (turn)")
            db.execute(f"pragma user_version = {FORMAT}")

    def _give_up(self, error: Exception) -> None:
        self.trouble = f"the score cache was not used: {error}"


def _format(db: sqlite3.Connection) -> int:
    return int(db.execute("pragma user_version").fetchone()[0])
