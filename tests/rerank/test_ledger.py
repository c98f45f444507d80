"""What was paid, summed by driver, scope and day."""

from __future__ import annotations

import math
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone

import pytest

from tamis.errors import CorpusFormatError, InputError, TamisError
from tamis.rerank import Charge, CostLedger, CostSum


def at(day, hour=12):
    return datetime(2026, 3, day, hour, tzinfo=UTC)


@pytest.fixture
def ledger(tmp_path):
    return CostLedger(tmp_path / "home")


def test_a_ledger_that_was_never_written_is_empty_and_makes_no_file(ledger, tmp_path):
    assert ledger.sums() == ()
    assert list(tmp_path.iterdir()) == []


def test_charges_are_summed_by_the_fields_that_are_asked_for(ledger):
    for charge in (
        Charge("cohere", "m", 0.2, "work", at(1)),
        Charge("cohere", "m", 0.2, "work", at(2)),
        Charge("voyage", "m", 0.1, "work", at(2)),
        Charge("cohere", "m", 0.4, "", at(2)),
    ):
        ledger.record(charge)
    assert ledger.sums(["driver"]) == (
        CostSum(pytest.approx(0.8), 3, driver="cohere"),
        CostSum(pytest.approx(0.1), 1, driver="voyage"),
    )
    assert ledger.sums(["scope"]) == (
        CostSum(pytest.approx(0.4), 1, scope=""),
        CostSum(pytest.approx(0.5), 3, scope="work"),
    )
    assert ledger.sums(["day"]) == (
        CostSum(pytest.approx(0.2), 1, day="2026-03-01"),
        CostSum(pytest.approx(0.7), 3, day="2026-03-02"),
    )
    assert len(ledger.sums()) == 4
    assert ledger.sums([]) == (CostSum(pytest.approx(0.9), 4),)


def test_days_before_since_do_not_count(ledger):
    ledger.record(Charge("cohere", "m", 1, at=at(1)))
    ledger.record(Charge("cohere", "m", 2, at=at(3)))
    assert ledger.sums([], since="2026-03-02") == (CostSum(2.0, 1),)
    assert ledger.sums([], since="2027-01-01") == ()


def test_a_day_is_a_day_in_utc(ledger):
    ledger.record(Charge("cohere", "m", 1, at=datetime(2026, 3, 2, 1, tzinfo=timezone(timedelta(hours=5)))))
    assert ledger.sums(["day"])[0].day == "2026-03-01"


@pytest.mark.parametrize("odd", [0.0, -1.0, math.nan, math.inf])
def test_amounts_that_are_none_are_passed_over(ledger, odd):
    ledger.record(Charge("cohere", "m", odd))
    assert ledger.sums() == ()


def test_an_unknown_field_is_refused(ledger):
    with pytest.raises(InputError):
        ledger.sums(["model; drop table charge"])


@pytest.mark.parametrize("since", ["yesterday", "2026-13-01", "01.02.2026"])
def test_a_first_day_that_is_none_is_refused(ledger, since):
    with pytest.raises(InputError):
        ledger.sums(since=since)


def test_several_processes_write_and_lose_nothing(ledger, tmp_path):
    code = (
        "import sys, pathlib; from tamis.rerank import Charge, CostLedger\n"
        "ledger = CostLedger(pathlib.Path(sys.argv[1]))\n"
        "for _ in range(20): ledger.record(Charge('cohere', 'm', 0.5))"
    )
    path = tmp_path / "home"
    running = [subprocess.Popen([sys.executable, "-c", code, str(path)]) for _ in range(3)]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    assert ledger.sums([]) == (CostSum(30.0, 60),)


def test_a_damaged_ledger_is_a_typed_error_and_is_left_alone(tmp_path):
    path = tmp_path / "costs.db"
    path.write_bytes(b"this is not a database, and it is long enough to be looked at as one" * 20)
    before = path.read_bytes()
    for use in (lambda one: one.sums(), lambda one: one.record(Charge("cohere", "m", 1))):
        with pytest.raises(TamisError):
            use(CostLedger(tmp_path))
    assert path.read_bytes() == before


def test_a_ledger_of_a_newer_tamis_is_refused(tmp_path):
    path = tmp_path / "costs.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("pragma user_version = 99")
    with pytest.raises(CorpusFormatError):
        CostLedger(tmp_path).sums()
