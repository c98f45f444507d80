"""What was paid for reranking, kept in one file that several processes may write."""

from __future__ import annotations

import math
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Literal, get_args

from tamis.errors import CorpusFormatError, InputError, TamisError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

By = Literal["driver", "scope", "day"]
BY: tuple[By, ...] = get_args(By)
FORMAT = 1
FILE_NAME = "costs.db"
WAIT_S = 10.0
"""Longest that a writer waits for another one; a charge is a single short insert."""


@dataclass(frozen=True, slots=True)
class Charge:
    """One paid call. ``scope`` is empty for a search without one; ``at`` is when, in UTC."""

    driver: str
    model: str
    cents: float
    scope: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class CostSum:
    """Cents of ``calls`` calls that agree in the fields that were asked for; the others are ``None``. ``day`` is UTC."""

    cents: float
    calls: int
    driver: str | None = None
    scope: str | None = None
    day: str | None = None


class CostLedger:
    """The charges of all corpora, in the folder ``home``; the file is made at the first charge.

    Safe from several threads and processes.
    """

    def __init__(self, home: Path) -> None:
        self._path = home / FILE_NAME

    def record(self, charge: Charge) -> None:
        """Add a charge; one that is not finite or not above 0 is passed over.

        Raises:
            TamisError: The file can't be written.
        """
        if not (math.isfinite(charge.cents) and charge.cents > 0):
            return
        moment = (charge.at or datetime.now(UTC)).astimezone(UTC)
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(self._open()) as db, db:
                db.execute(
                    "insert into charge (at, day, driver, model, scope, cents) values (?, ?, ?, ?, ?, ?)",
                    (
                        moment.isoformat(timespec="milliseconds"),
                        moment.date().isoformat(),
                        charge.driver,
                        charge.model,
                        charge.scope,
                        charge.cents,
                    ),
                )
        except (OSError, sqlite3.Error) as error:
            raise self._unusable("written", error) from error

    def sums(self, by: Sequence[By] = BY, *, since: str | None = None) -> tuple[CostSum, ...]:
        """Charges summed by the given fields, in the order of these fields; without fields, the one total.

        Args:
            by: Which of ``driver``, ``scope`` and ``day`` to keep apart.
            since: First day that counts, ``YYYY-MM-DD``, UTC.

        Raises:
            InputError: A field is not known, or ``since`` is not a day.
            TamisError: The file can't be read.
        """
        if any(field not in BY for field in by):
            raise InputError(f"costs are summed by {', '.join(BY)}")
        first_day = _day(since)
        if not self._path.exists():
            return ()
        columns = "".join(f", {field}" for field in by)
        grouping = f"group by {', '.join(by)} order by {', '.join(by)}" if by else "having count(*) > 0"
        statement = f"select sum(cents), count(*){columns} from charge where day >= ? {grouping}"
        try:
            with closing(self._open()) as db:
                rows = db.execute(statement, (first_day,)).fetchall()
        except sqlite3.Error as error:
            raise self._unusable("read", error) from error
        return tuple(CostSum(row[0], row[1], **dict(zip(by, row[2:], strict=True))) for row in rows)

    def _open(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._path, timeout=WAIT_S)
        try:
            found = db.execute("pragma user_version").fetchone()[0]
            if found > FORMAT:
                raise CorpusFormatError(
                    f"{self._path.name} was written by a newer tamis", hint="upgrade tamis to read it"
                )
            if found < FORMAT:
                self._create(db)
        except BaseException:
            db.close()
            raise
        return db

    @staticmethod
    def _create(db: sqlite3.Connection) -> None:
        with db:
            db.execute("begin immediate")
            db.execute(
                "create table if not exists charge (at text not null, day text not null, driver text not null,"
                " model text not null, scope text not null, cents real not null)"
            )
            db.execute(f"pragma user_version = {FORMAT}")

    def _unusable(self, verb: str, error: Exception) -> TamisError:
        return TamisError(
            f"the cost ledger can't be {verb}: {error}",
            hint=f"look at {self._path}; removing it forgets what was spent",
            code="LEDGER_UNUSABLE",
        )


def _day(text: str | None) -> str:
    try:
        return date.fromisoformat(text).isoformat() if text else ""
    except ValueError:
        raise InputError(f"{text} is not a day", hint="write it as YYYY-MM-DD") from None
