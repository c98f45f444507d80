"""Which files take part in a search."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from tamis.errors import FilterError
from tamis.readers.globs import compile_glob
from tamis.types import FilterApplied

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tamis.types import FileRow, Filter


def since_ns(text: str) -> int:
    """Nanoseconds since the epoch of an ISO 8601 date or timestamp; a time without a zone is local time.

    Raises:
        FilterError: It is not ISO 8601.
    """
    try:
        moment = datetime.fromisoformat(text.strip() if isinstance(text, str) else "")  # pyright: ignore[reportUnnecessaryIsInstance]
        return round(moment.timestamp() * 1_000_000) * 1000
    except (ValueError, OverflowError, OSError):
        raise FilterError(
            f"since is not an ISO 8601 date or time: {text!r}",
            hint="write 2026-01-31 or 2026-01-31T12:00:00Z",
        ) from None


def predicate(wanted: Filter) -> Callable[[FileRow], bool] | None:
    """A test of a file, or ``None`` when the filter keeps everything.

    Raises:
        FilterError: The glob is empty or the time is malformed.
    """
    tests: list[Callable[[FileRow], bool]] = []
    if wanted.path_glob is not None:
        if not isinstance(wanted.path_glob, str) or not wanted.path_glob.strip():  # pyright: ignore[reportUnnecessaryIsInstance]
            raise FilterError(
                f"path_glob is {wanted.path_glob!r}", hint="leave it out, or use ** for everything"
            )
        matches = compile_glob(wanted.path_glob)
        tests.append(lambda row: matches(row.path) or matches(row.relative_path))
    if wanted.since is not None:
        limit = since_ns(wanted.since)
        tests.append(lambda row: row.stat.mtime_ns >= limit)
    if not tests:
        return None
    return lambda row: all(test(row) for test in tests)


def apply(wanted: Filter, files: Iterable[FileRow]) -> tuple[list[int], FilterApplied] | None:
    """The ids of the files that the filter keeps and what it did, or ``None`` when there is nothing to filter by."""
    keep = predicate(wanted)
    if keep is None:
        return None
    total = kept = 0
    ids: list[int] = []
    for row in files:
        total += row.chunks
        if keep(row):
            kept += row.chunks
            ids.append(row.id)
    return ids, FilterApplied(total, kept, wanted.path_glob, wanted.since)
