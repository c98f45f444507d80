"""What an index, refresh, embed or amend run did, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.render.printable import one_line
from tamis.render.quantities import count, duration, scaled, share
from tamis.render.style import BOLD, GREEN, RED, YELLOW
from tamis.render.table import pairs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tamis.render.style import Style
    from tamis.types import AmendReport, EmbedReport, FailedPath, IndexReport, RefreshReport

SHOWN = 10  # of a list of paths; --json has them all


def index_text(report: IndexReport, style: Style) -> str:
    """Totals, where the vectors came from, and what was left out and why."""
    found = f"{count(report.documents, 'document')}, {count(report.chunks, 'chunk')}"
    head = f"{style.paint(report.name, BOLD)}: {found}, {scaled(report.total_chars)} characters"
    vectors = _vectors(report.newly_embedded_chunks, report.reused_chunks, report.dense_coverage)
    rows = [
        ("vectors", vectors + _embed_hint(report.name, report.dense_coverage, report.failed_chunks)),
        ("model", one_line(report.embed_model_resolved)),
        ("truncated", count(report.truncated_chunks, "chunk") if report.truncated_chunks else ""),
        ("not embedded", count(report.failed_chunks, "chunk") if report.failed_chunks else ""),
        ("skipped", count(report.skipped_binary, "binary file") if report.skipped_binary else ""),
        ("dropped", count(len(report.dropped_files), "file") if report.dropped_files else ""),
        ("failed", style.paint(count(len(report.failed_paths), "path"), RED) if report.failed_paths else ""),
    ]
    parts = [
        f"{head} in {duration(report.elapsed_ms)}",
        pairs(rows, style),
        *_failures(report.failed_paths, style),
    ]
    return "\n".join(parts)


def refresh_text(report: RefreshReport, style: Style) -> str:
    """What changed on disk since, file by file."""
    took = f"in {duration(report.elapsed_ms)}"
    name = style.paint(report.name, BOLD)
    files = count(len(report.unchanged), "file")
    hint = _embed_hint(report.name, report.dense_coverage)
    if report.no_op:
        stands = "unchanged" if report.still_failed or report.missing else "up to date"
        parts = [f"{name}: {stands}, {files} {took}"]
        parts += [f"  {share(report.dense_coverage)} of the corpus has vectors{hint}"] if hint else []
    else:
        done = [
            f"{len(paths):,} {what}"
            for what, paths in (
                ("added", report.added),
                ("changed", report.changed),
                ("deleted", report.deleted),
            )
            if paths
        ]
        parts = [f"{name}: {', '.join([*done, f'{len(report.unchanged):,} unchanged'])} {took}"]
        vectors = _vectors(report.reembedded_chunks, report.reused_chunks, report.dense_coverage)
        dropped = count(report.dropped_chunks, "chunk") if report.dropped_chunks else ""
        parts.append(pairs([("vectors", vectors + hint), ("dropped", dropped)], style))
    if drift := report.embed_model_resolved_drift:
        parts.append(
            style.paint(f"  embedder changed: {one_line(drift.prior)} → {one_line(drift.current)}", YELLOW)
        )
    parts += _listed("+", report.added, GREEN, style)
    parts += _listed("~", report.changed, YELLOW, style)
    parts += _listed("-", report.deleted, RED, style)
    parts += _listed("?", report.missing, YELLOW, style)
    return "\n".join([*parts, *_failures(report.still_failed, style)])


def embed_text(report: EmbedReport, style: Style) -> str:
    """How many texts got their vectors, and how much of the corpus has one now."""
    vectors = (
        f"{count(report.newly_embedded_chunks, 'new vector')}, {share(report.dense_coverage)} of the corpus"
    )
    rows = [
        ("model", one_line(report.embed_model_resolved)),
        ("truncated", count(report.truncated_chunks, "chunk") if report.truncated_chunks else ""),
        ("not embedded", count(report.failed_chunks, "chunk") if report.failed_chunks else ""),
        ("before", one_line(report.drift.prior) if report.drift else ""),
        ("dropped", count(report.dropped_vectors, "old vector") if report.dropped_vectors else ""),
    ]
    head = f"{style.paint(report.name, BOLD)}: {vectors} in {duration(report.elapsed_ms)}"
    return "\n".join(filter(None, [head, pairs(rows, style)]))


def amend_text(report: AmendReport, style: Style) -> str:
    """Whose chunks were replaced by how many."""
    changed = f"{report.chunks_removed:,} → {count(report.chunks_added, 'chunk')}"
    return f"{style.paint(report.corpus, BOLD)}: {style.path(report.file_path)}, {changed}"


def _vectors(new: int, reused: int, coverage: float) -> str:
    return f"{new:,} new, {reused:,} reused, {share(coverage)} of the corpus"


def _embed_hint(name: str, coverage: float, failed: int = 0) -> str:
    """What to do for the rest, unless it is what the model would not take."""
    return "" if failed or coverage >= 1.0 else f"; for the rest: tamis embed {name}"


def _listed(sign: str, paths: Sequence[str], colour: str, style: Style) -> Iterator[str]:
    for path in paths[:SHOWN]:
        yield f"  {style.paint(f'{sign} {style.path(path)}', colour)}"
    if len(paths) > SHOWN:
        yield f"  {style.paint(f'{sign} … {len(paths) - SHOWN:,} more', colour)}"


def _failures(failed: Sequence[FailedPath], style: Style) -> Iterator[str]:
    for item in failed[:SHOWN]:
        yield f"  {style.paint('!', RED)} {style.path(item.path)}: {one_line(item.reason)}"
    if len(failed) > SHOWN:
        yield f"  {style.paint('!', RED)} … {len(failed) - SHOWN:,} more"
