"""What there is to know about a corpus."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tamis.errors import BinaryError, TamisError
from tamis.search.hits import is_stale
from tamis.types import CorpusSummary, Drift, FileDetail, HealthReport

if TYPE_CHECKING:
    from tamis.library.wiring import Wired
    from tamis.storage import Snapshot
    from tamis.types import FailedPath

SECONDS_A_DAY = 86_400


def summary(wired: Wired) -> CorpusSummary:
    """The corpus's line in the list of corpora."""
    with wired.truth.snapshot() as snapshot:
        return _summary(wired, snapshot)


def health(wired: Wired, *, detailed: bool) -> HealthReport:
    """The summary and what may be wrong with the corpus."""
    with wired.truth.snapshot() as snapshot:
        manifest = snapshot.manifest
        line = _summary(wired, snapshot)
        amends = snapshot.amends()
        failed = _failed(snapshot)
        current, problem = _current_model(wired, manifest.settings.embedder)
        prior = manifest.model_version
        drifted = Drift(prior, current) if current and prior and prior != current else None
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
            amended_paths=tuple(item for item in amends if item.cleared_at is None),
            failed_paths=failed,
            roots=manifest.settings.paths,
            warnings=tuple(_warnings(line, failed, drifted, problem)),
            files=_details(snapshot) if detailed else None,
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
        has_amended_content=any(item.cleared_at is None for item in snapshot.amends()),
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
    line: CorpusSummary, failed: tuple[FailedPath, ...], drifted: Drift | None, problem: str | None
) -> list[str]:
    warnings: list[str] = []
    if not line.write_complete:
        warnings.append(f"an index run was interrupted: run tamis refresh {line.name}")
    if line.dense_coverage < 1.0:
        warnings.append(
            f"{math.floor(line.dense_coverage * 100)}% of the chunks have vectors: run tamis embed {line.name}"
        )
    if line.has_amended_content:
        warnings.append("amended text is in place of the disk's; a refresh restores it")
    if failed:
        warnings.append(f"{len(failed)} paths could not be indexed")
    if drifted is not None:
        warnings.append(f"the embedder is {drifted.current} now, the vectors are {drifted.prior}'s")
    if problem is not None:
        warnings.append(problem)
    return warnings


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
