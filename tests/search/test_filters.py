"""Filters decide by path and time, before anything is ranked."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tamis.errors import FilterError
from tamis.search import filters
from tamis.types import FileRow, FileStat, Filter, FilterApplied

HOUR_NS = 3_600_000_000_000


def row(number: int, path: str, relative: str, mtime_ns: int = 0, chunks: int = 1) -> FileRow:
    return FileRow(number, path, relative, "h", FileStat(1, mtime_ns), "t", "markdown", False, False, chunks)


ROWS = [
    row(1, "/home/me/notes/keys.md", "keys.md", 10 * HOUR_NS, chunks=3),
    row(2, "/home/me/notes/ops/deploy.md", "ops/deploy.md", 20 * HOUR_NS, chunks=4),
    row(3, "/home/me/notes/ops/deploy.txt", "ops/deploy.txt", 30 * HOUR_NS, chunks=5),
]


@pytest.mark.parametrize(
    ("glob", "kept"),
    [
        ("**", [1, 2, 3]),
        ("*.md", [1]),
        ("**/*.md", [1, 2]),
        ("ops/*", [2, 3]),
        ("ops\\*.txt", [3]),
        ("/home/me/notes/*.md", [1]),
        ("/home/**/deploy.*", [2, 3]),
        ("key?.md", [1]),
        ("KEYS.md", []),
    ],
)
def test_a_glob_matches_absolute_paths_and_paths_from_a_root(glob: str, kept: list[int]) -> None:
    found = filters.apply(Filter(path_glob=glob), ROWS)
    assert found is not None
    assert found[0] == kept


def test_since_keeps_files_modified_then_or_later() -> None:
    since = datetime.fromtimestamp(20 * 3600, UTC).isoformat()
    assert filters.apply(Filter(since=since), ROWS) == ([2, 3], FilterApplied(12, 9, None, since))


def test_a_date_alone_and_a_time_without_a_zone_are_local() -> None:
    assert filters.since_ns("2026-03-01") == round(datetime(2026, 3, 1).timestamp() * 1e9)  # noqa: DTZ001
    assert filters.since_ns("2026-03-01T10:30:00") == round(datetime(2026, 3, 1, 10, 30).timestamp() * 1e9)  # noqa: DTZ001
    assert filters.since_ns("1970-01-01T01:00:00Z") == HOUR_NS
    assert filters.since_ns("1970-01-01T01:00:00+01:00") == 0


def test_both_parts_of_a_filter_hold_together() -> None:
    since = datetime.fromtimestamp(20 * 3600, UTC).isoformat()
    found = filters.apply(Filter(path_glob="**/*.md", since=since), ROWS)
    assert found == ([2], FilterApplied(12, 4, "**/*.md", since))


def test_no_filter_is_no_filter() -> None:
    assert filters.apply(Filter(), ROWS) is None


@pytest.mark.parametrize(
    "wanted", [Filter(since="yesterday"), Filter(since=""), Filter(since="2026-13-01"), Filter(path_glob=" ")]
)
def test_a_malformed_filter_is_refused(wanted: Filter) -> None:
    with pytest.raises(FilterError) as caught:
        filters.apply(wanted, ROWS)
    assert caught.value.code == "FILTER_INVALID"
    assert caught.value.hint
