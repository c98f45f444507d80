"""The corpora there are, and the health and history of one, for people."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tamis.render.cells import lines, width
from tamis.render.printable import one_line
from tamis.render.quantities import ago, count, scaled, share, size
from tamis.render.style import BOLD, FAINT, GREEN, RED, YELLOW
from tamis.render.table import pairs, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.render.style import Style
    from tamis.types import AmendedPath, CorpusSummary, FileDetail, HealthReport
LEAST_PATH = 20  # cells of a path that a table is still worth it for
NAMES = 13  # cells before the values of health


def list_text(corpora: Sequence[CorpusSummary], style: Style, now: datetime) -> str:
    """One line for each corpus."""
    header = ("NAME", "DOCUMENTS", "CHUNKS", "CHARS", "ON DISK", "VECTORS", "INDEXED", "")
    rows = [
        (
            line.name,
            f"{line.documents:,}",
            f"{line.chunks:,}",
            scaled(line.total_chars),
            size(line.bytes_on_disk),
            share(line.dense_coverage),
            _when(line.indexed_at, now),
            ", ".join(_notes(line)),
        )
        for line in corpora
    ]
    return table(header, rows, style, right=range(1, 6), last=style.width)


def health_text(report: HealthReport, style: Style, now: datetime) -> str:
    """What the corpus holds and what may be wrong with it; a line for each file where there are details."""
    line = report.summary
    verdict = style.paint("needs attention", YELLOW) if report.warnings else style.paint("healthy", GREEN)
    indexes = f"generation {report.generation}, words {report.lexical_generation}, vectors {report.dense_generation}"
    rows = [
        *_folded(
            "documents",
            style,
            f"{line.documents:,} in {count(line.chunks, 'chunk')}, {scaled(line.total_chars)} characters",
        ),
        ("on disk", size(line.bytes_on_disk)),
        ("indexed", _when(line.indexed_at, now)),
        *_folded(
            "vectors", style, f"{share(line.dense_coverage)} of the chunks", one_line(line.model_version)
        ),
        *_folded("indexes", style, indexes),
        *(("from" if index == 0 else " ", style.path(root)) for index, root in enumerate(report.roots)),
    ]
    parts = [f"{style.paint(line.name, BOLD)}: {verdict}", pairs(rows, style)]
    parts += [_remark(text, style) for text in report.warnings]
    parts += [f"  {style.paint('~', YELLOW)} {style.path(item.path)}: amended {_when(item.amended_at, now)}"
              for item in report.amended_paths]  # fmt: skip
    parts += [f"  {style.paint('x', RED)} {style.path(item.path)}: {one_line(item.reason)}"
              for item in report.failed_paths]  # fmt: skip
    if report.files:
        parts += ["", _files(report.files, style)]
    return "\n".join(parts)


def history_text(amends: Sequence[AmendedPath], style: Style) -> str:
    """Every amend, oldest first."""
    header = ("AMENDED (UTC)", "CHUNKS", "RESTORED (UTC)", "PATH")
    rows = [
        (
            _minute(item.amended_at),
            f"{item.chunks_before:,} → {item.chunks_after:,}",
            _minute(item.cleared_at) if item.cleared_at else "in effect",
            style.path(item.path),
        )
        for item in amends
    ]
    return table(header, rows, style)


def _notes(line: CorpusSummary) -> list[str]:
    if line.problem is not None:
        return ["cannot be used"]
    return [
        note
        for applies, note in (
            (not line.write_complete, "interrupted"),
            (line.has_amended_content, "amended"),
            (line.failed_path_count > 0, f"{line.failed_path_count:,} failed"),
        )
        if applies
    ]


def _files(files: Sequence[FileDetail], style: Style) -> str:
    header = ("SIZE", "MODIFIED (UTC)", "CHUNKS", "VECTORS", "", "PATH")
    rows = [
        (
            size(file.size),
            _minute(file.mtime),
            f"{file.chunks:,}",
            f"{file.embedded_chunks:,}",
            ", ".join(note for applies, note in
                      ((file.stale, "changed"), (file.amended, "amended"), (file.lexical_only, "words only")) if applies),
            style.path(file.path),
        )
        for file in files
    ]  # fmt: skip
    return table(header, rows, style, right=(0, 2, 3), last=LEAST_PATH)


def _folded(name: str, style: Style, value: str, aside: str = "") -> list[tuple[str, str]]:
    """A pair, with what stands aside in a fainter colour, as so many lines as the width asks for."""
    room = style.width - NAMES
    if aside and width(value) + width(aside) + 2 <= room:
        return [(name, f"{value}  {style.paint(aside, FAINT)}")]
    parts = [*lines(value, room), *(style.paint(part, FAINT) for part in lines(aside, room))]
    return [(name if number == 0 else " ", part) for number, part in enumerate(parts)]


def _remark(text: str, style: Style) -> str:
    first, *others = lines(one_line(text), style.width - 4)
    return "\n".join([f"  {style.paint('!', YELLOW)} {first}", *(f"    {other}" for other in others)])


def _when(moment: str, now: datetime) -> str:
    if not moment:
        return "never"
    then = datetime.fromisoformat(moment)
    return ago((now - then).total_seconds())


def _minute(moment: str) -> str:
    return f"{datetime.fromisoformat(moment).astimezone(UTC):%Y-%m-%d %H:%M}"
