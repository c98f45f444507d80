"""What there is to know about a corpus."""

from __future__ import annotations

import math
import os
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tamis.errors import BinaryError, TamisError
from tamis.search.hits import is_stale
from tamis.types import CorpusSummary, Drift, FileDetail, HealthReport

if TYPE_CHECKING:
    from tamis.indexing.changes import Kept
    from tamis.library.wiring import Wired
    from tamis.storage import Snapshot
    from tamis.types import AmendedPath, FailedPath

SECONDS_A_DAY = 86_400
LOOKED_UP = 500  # files at a time


def summary(wired: Wired) -> CorpusSummary:
    """The corpus's line in the list of corpora."""
    with wired.truth.snapshot() as snapshot:
        return _summary(wired, snapshot)


def health(wired: Wired, *, detailed: bool) -> HealthReport:
    """The summary and what may be wrong with the corpus."""
    from tamis.indexing.changes import not_embedded

    with wired.truth.snapshot() as snapshot:
        manifest = snapshot.manifest
        line = _summary(wired, snapshot)
        amends = history(snapshot)
        failed = _failed(snapshot)
        current, problem = _current_model(wired, manifest.settings.embedder)
        prior = manifest.model_version
        drifted = Drift(prior, current) if current and prior and prior != current else None
        kept = _kept(snapshot)
        amended = tuple(item for item in amends if item.cleared_at is None)
        restorable = any(item.path not in kept.amended for item in amended)
        lexical, dense = wired.derived.generations(manifest)
        return HealthReport(
            summary=line,
            staleness_days=_days_since(manifest.indexed_at),
            embed_model_resolved=prior,
            has_amended_content=line.has_amended_content,
            generation=manifest.generation,
            lexical_generation=lexical,
            dense_generation=dense,
            drift=drifted,
            amended_paths=amended,
            failed_paths=failed,
            roots=manifest.settings.paths,
            warnings=(
                *_warnings(line, failed, drifted, problem, restorable),
                *kept.remarks(),
                *not_embedded(snapshot),
            ),
            files=_details(snapshot) if detailed else None,
        )


def history(snapshot: Snapshot) -> tuple[AmendedPath, ...]:
    """Every amend, oldest first.

    Whether one is in effect is for its file to say: where the disk's text has come back it is cleared, at the end of the run
    that brought it if nothing else is recorded.
    """
    found = snapshot.amends()
    paths = list(dict.fromkeys(item.path for item in found if item.cleared_at is None))
    amended: set[str] = set()
    for start in range(0, len(paths), LOOKED_UP):
        rows = snapshot.files_at(paths[start : start + LOOKED_UP]).values()
        amended.update(row.path for row in rows if row.amended)
    indexed_at = snapshot.manifest.indexed_at
    return tuple(
        item
        if item.cleared_at is not None or item.path in amended
        else replace(item, cleared_at=max(indexed_at, item.amended_at))
        for item in found
    )


def _summary(wired: Wired, snapshot: Snapshot) -> CorpusSummary:
    manifest = snapshot.manifest
    totals = snapshot.totals()
    return CorpusSummary(
        name=manifest.name,
        model_version=manifest.model_version,
        indexed_at=manifest.indexed_at,
        documents=totals.documents,
        chunks=totals.chunks,
        total_chars=totals.chars,
        bytes_on_disk=sum(item.stat().st_size for item in wired.folder.rglob("*") if item.is_file()),
        failed_path_count=len(_failed(snapshot)),
        write_complete=manifest.write_complete,
        has_amended_content=any(item.cleared_at is None for item in history(snapshot)),
        dense_coverage=totals.coverage(snapshot.embedded()),
    )


def _failed(snapshot: Snapshot) -> tuple[FailedPath, ...]:
    return tuple(item for item in snapshot.failed_paths() if item.code != BinaryError.code)


def _current_model(wired: Wired, name: str) -> tuple[str, str | None]:
    """The version of the model that would embed now, and why it cannot be told."""
    try:
        return wired.embedders(name).fingerprint.version, None
    except TamisError as error:
        return "", f"the embedder {name} cannot be had: {error.message}"


def _days_since(moment: str) -> float:
    if not moment:
        return 0.0
    return (datetime.now(UTC) - datetime.fromisoformat(moment)).total_seconds() / SECONDS_A_DAY


def _warnings(
    line: CorpusSummary,
    failed: tuple[FailedPath, ...],
    drifted: Drift | None,
    problem: str | None,
    restorable: bool,
) -> list[str]:
    from tamis.indexing.changes import count

    warnings: list[str] = []
    if not line.write_complete:
        warnings.append(f"an index run was interrupted: run tamis refresh {line.name}")
    elif not line.documents:
        warnings.append("it is empty: no document was found; check the paths, the globs and the ignore files")
    if line.dense_coverage < 1.0:
        warnings.append(
            f"{math.floor(line.dense_coverage * 100)}% of the chunks have vectors: run tamis embed {line.name}"
        )
    if restorable:
        warnings.append("amended text is in place of the disk's; a refresh restores it")
    if failed:
        warnings.append(f"{count(len(failed), 'path')} could not be indexed")
    if drifted is not None:
        warnings.append(f"the embedder is {drifted.current} now, the vectors are {drifted.prior}'s")
    if problem is not None:
        warnings.append(problem)
    return warnings


def _kept(snapshot: Snapshot) -> Kept:
    """The files whose text is older than what a refresh would find if it could."""
    from tamis.indexing.changes import Kept

    failed = {item.path for item in snapshot.failed_paths()}
    kept = Kept(failed, [path for path in snapshot.manifest.settings.paths if not os.path.lexists(path)])
    if kept.possible:
        for row in snapshot.files():
            kept.holds(row)
    return kept


def _details(snapshot: Snapshot) -> tuple[FileDetail, ...]:
    model_id = snapshot.manifest.model_id
    embedded = {} if model_id is None else snapshot.embedded_by_file(model_id)
    return tuple(
        FileDetail(
            path=row.path,
            size=max(0, row.stat.size),
            mtime=datetime.fromtimestamp(row.stat.mtime_ns / 1e9, UTC).isoformat(timespec="seconds"),
            chunks=row.chunks,
            embedded_chunks=embedded.get(row.id, 0),
            stale=is_stale(row),
            amended=row.amended,
            lexical_only=row.lexical_only,
        )
        for row in snapshot.files()
    )
