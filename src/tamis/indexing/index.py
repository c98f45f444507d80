"""The use cases that bring a corpus in line with the disk: index, refresh, and embedding on its own."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tamis.errors import (
    BackendError,
    BinaryError,
    ConfigError,
    CorpusBusyError,
    EmbedError,
    MissingExtraError,
)
from tamis.indexing.changes import not_embedded, remarks
from tamis.indexing.embed import EmbedOutcome, embed_pending
from tamis.indexing.reconcile import Reconciliation
from tamis.types import Drift, EmbedReport, IndexReport, RefreshReport

if TYPE_CHECKING:
    from tamis.indexing.backends import Backends
    from tamis.indexing.changes import Changes
    from tamis.ports import Progress
    from tamis.storage import Snapshot
    from tamis.types import FailedPath, Fingerprint, ModelUse, Settings, Totals

# Vectors of texts that no chunk has any more are kept for files that come back, up to this many and up to as many as
# there are living chunks.
KEPT_ORPHANS = 2_000


def index(backends: Backends, settings: Settings, progress: Progress) -> IndexReport:
    """Make the corpus hold what ``settings`` names, and nothing else; then, if they say so, embed what has no vector.

    Idempotent by content hash. Interrupted, it leaves a corpus that is whole, and the next call goes on from there.

    Raises:
        CorpusBusyError: Another writer was at work all the time that there was to wait.
    """
    start = time.perf_counter()
    with backends.locked():
        with backends.truth.snapshot() as snapshot:
            before = snapshot.manifest.settings
        rechunk = (before.chunk_chars, before.chunk_overlap) != (settings.chunk_chars, settings.chunk_overlap)
        changes = Reconciliation(
            backends, settings, progress, verify=True, retry_failed=True, rechunk=rechunk
        ).run()
        _finish(backends, changes, settings)
    warnings = remarks(changes, settings)
    outcome, shortfall = _embed(backends, progress, warnings) if settings.dense else (EmbedOutcome(), None)
    with backends.truth.snapshot() as snapshot:
        warnings += not_embedded(snapshot)
        totals = snapshot.totals()
        coverage, embedded = _coverage(snapshot, totals)
        manifest = snapshot.manifest
        return IndexReport(
            name=manifest.name,
            model_version=manifest.model_version,
            documents=totals.documents,
            chunks=totals.chunks,
            total_chars=totals.chars,
            reused_chunks=max(0, embedded - outcome.embedded),
            newly_embedded_chunks=outcome.embedded,
            dropped_files=tuple(changes.dropped),
            failed_paths=_reported(changes.failed),
            embed_model_resolved=manifest.model_version,
            elapsed_ms=round((time.perf_counter() - start) * 1000),
            dense_coverage=coverage,
            skipped_binary=changes.skipped_binary,
            truncated_chunks=outcome.truncated,
            failed_chunks=outcome.failed,
            model_use=_use(manifest.fingerprint, outcome),
            degraded=shortfall is not None,
            degrade_reason=shortfall,
            warnings=tuple(warnings),
        )


def refresh(
    backends: Backends,
    progress: Progress,
    *,
    verify: bool = False,
    retry_failed: bool = False,
    dense: bool | None = None,
) -> RefreshReport:
    """Bring the corpus in line with the disk, with the settings it was indexed with.

    Files whose size and time are unchanged are not read, unless ``verify``. Without a change nothing is written. A named
    folder that is not there keeps its files (a disk may not be mounted), as does one that cannot be read, and a file that
    cannot be read keeps its old text; a named file that is not there is dropped.

    ``dense``: make vectors, or leave those of what is new to ``embed``, also in later runs; ``None``: as in the run before.

    Raises:
        CorpusBusyError: As ``index``.
    """
    start = time.perf_counter()
    with backends.locked():
        with backends.truth.snapshot() as snapshot:
            settings, prior = snapshot.manifest.settings, snapshot.manifest.fingerprint
        switched = dense is True and not settings.dense
        if dense is not None:
            settings = replace(settings, dense=dense)
        changes = Reconciliation(backends, settings, progress, verify=verify, retry_failed=retry_failed).run()
        if changes.wrote or switched or _unfinished(backends):
            _finish(backends, changes, settings)
        if retry_failed:
            _retry_failed_texts(backends)
    warnings = remarks(changes, settings)
    outcome, shortfall = _embed(backends, progress, warnings) if settings.dense else (EmbedOutcome(), None)
    with backends.truth.snapshot() as snapshot:
        warnings += not_embedded(snapshot)
        totals = snapshot.totals()
        coverage, embedded = _coverage(snapshot, totals)
        current = snapshot.manifest.fingerprint
        return RefreshReport(
            name=snapshot.manifest.name,
            added=tuple(sorted(changes.added)),
            changed=tuple(sorted(changes.changed)),
            unchanged=tuple(sorted(changes.unchanged)),
            deleted=tuple(changes.dropped),
            missing=tuple(changes.missing),
            reused_chunks=max(0, embedded - outcome.embedded),
            reembedded_chunks=outcome.embedded,
            dropped_chunks=changes.dropped_chunks,
            no_op=not changes.wrote and not switched and outcome == EmbedOutcome(),
            retried_failed=tuple(sorted(changes.retried)),
            still_failed=_reported(changes.failed),
            elapsed_ms=round((time.perf_counter() - start) * 1000),
            dense_coverage=coverage,
            embed_model_resolved_drift=drift(prior, current),
            model_use=_use(current, outcome),
            degraded=shortfall is not None,
            degrade_reason=shortfall,
            warnings=tuple(warnings),
        )


def embed(backends: Backends, progress: Progress) -> EmbedReport:
    """Give every text that has none its vector; resumable. From now on, what brings the corpus in line with the disk does so too.

    Raises:
        CorpusBusyError: Another process is embedding this corpus.
        EmbedError, BackendError: The embedder failed; what was done is kept.
    """
    start = time.perf_counter()
    with backends.truth.snapshot() as snapshot:
        prior, settings = snapshot.manifest.fingerprint, snapshot.manifest.settings
    if not settings.dense:
        backends.embedder(settings.embedder)  # or there is no such embedder, and nothing is changed
        with backends.locked(), backends.write() as write:
            write.change(settings=replace(settings, dense=True))
    outcome = embed_pending(backends, progress)
    with backends.truth.snapshot() as snapshot:
        manifest = snapshot.manifest
        coverage, _ = _coverage(snapshot, snapshot.totals())
        failed = not_embedded(snapshot)
    return EmbedReport(
        name=manifest.name,
        newly_embedded_chunks=outcome.embedded,
        truncated_chunks=outcome.truncated,
        failed_chunks=outcome.failed,
        dense_coverage=coverage,
        embed_model_resolved=manifest.model_version,
        elapsed_ms=round((time.perf_counter() - start) * 1000),
        drift=drift(prior, manifest.fingerprint),
        model_use=_use(manifest.fingerprint, outcome),
        warnings=(*_drifted(outcome), *failed),
    )


def reembed(backends: Backends, name: str, progress: Progress, *, drop_old: bool) -> EmbedReport:
    """Embed every text with the embedder ``name``, into a set of its own that answers searches once it is whole.

    Interrupted, it goes on where it stopped, as does ``embed``. The old vectors stay, for a way back, until ``drop_old``.

    Raises:
        ConfigError, BackendError, EmbedError: The embedder cannot be had, and nothing is changed; or it failed later, and what
            was done is kept.
        CorpusBusyError: As ``embed``.
    """
    backends.identify(backends.embedder(name))
    with backends.locked():
        with backends.truth.snapshot() as snapshot:
            settings = snapshot.manifest.settings
        if settings.embedder != name:
            with backends.write() as write:
                write.change(settings=replace(settings, embedder=name))
    report = embed(backends, progress)
    if not drop_old:
        return report
    with backends.locked():
        with backends.truth.snapshot() as snapshot:
            model_id = snapshot.manifest.model_id
        if model_id is None:
            return report
        with backends.write() as write:
            return replace(report, dropped_vectors=write.drop_vectors_except(model_id))


def drift(prior: Fingerprint | None, current: Fingerprint | None) -> Drift | None:
    """The change of model between two moments, if there was one."""
    if prior is None or current is None or prior == current:
        return None
    return Drift(prior.version, current.version)


def _embed(backends: Backends, progress: Progress, warnings: list[str]) -> tuple[EmbedOutcome, str | None]:
    """What came of it, and why there are fewer vectors than there should be."""
    before = _vectors(backends)
    try:
        outcome = embed_pending(backends, progress)
        warnings += _drifted(outcome)
        return outcome, None
    except CorpusBusyError as error:
        outcome = EmbedOutcome()
        shortfall = f"the text is searchable; vectors are being made elsewhere ({error.message})"
    except (EmbedError, BackendError, ConfigError, MissingExtraError) as error:
        outcome = EmbedOutcome(max(0, _vectors(backends) - before))  # what was done is kept
        shortfall = f"the text is searchable; embedding stopped: {'; '.join(filter(None, (error.message, error.hint)))}"
    warnings.append(shortfall)
    return outcome, shortfall


def _vectors(backends: Backends) -> int:
    with backends.truth.snapshot() as snapshot:
        return snapshot.embedded()


def _use(fingerprint: Fingerprint | None, outcome: EmbedOutcome) -> ModelUse | None:
    """The embedder's part, if it had one."""
    return fingerprint.use if fingerprint is not None and outcome.embedded else None


def _drifted(outcome: EmbedOutcome) -> tuple[str, ...]:
    if not outcome.drift:
        return ()
    return (f"the model changed in mid run, and everything was embedded again: {outcome.drift}",)


def _finish(backends: Backends, changes: Changes, settings: Settings) -> None:
    """Record that the corpus stands as on disk, but for what is amended and could not be restored."""
    with backends.write() as write:
        if not changes.kept.amended:
            write.clear_amends()
        write.drop_orphans(KEPT_ORPHANS)
        write.change(
            settings=settings,
            write_complete=True,
            indexed_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            skipped_binary=changes.skipped_binary,
        )


def _unfinished(backends: Backends) -> bool:
    with backends.truth.snapshot() as snapshot:
        return not snapshot.manifest.write_complete


def _retry_failed_texts(backends: Backends) -> None:
    with backends.truth.snapshot() as snapshot:
        manifest = snapshot.manifest
        failed = 0 if manifest.model_id is None else snapshot.failed_text_count(manifest.model_id)
    if failed:
        with backends.write() as write:
            write.retry_failed_texts()


def _coverage(snapshot: Snapshot, totals: Totals) -> tuple[float, int]:
    """Share of the chunks that have a vector (of those that should), and how many have one."""
    embedded = snapshot.embedded()
    return totals.coverage(embedded), embedded


def _reported(failed: list[FailedPath]) -> tuple[FailedPath, ...]:
    """Failures to tell a user about; binary files are only counted."""
    return tuple(
        sorted((item for item in failed if item.code != BinaryError.code), key=lambda item: item.path)
    )
