"""Kept candidates to running text: original white space where they stood together, a mark where something is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.compress.units import Candidate

GAP = "…"


def body(kept: Sequence[Candidate], total: int | None) -> str:
    """The text of an item of which these candidates are kept, in reading order.

    ``total`` is how many the item has; ``None`` if what comes after the last is no gap. Code stands between its fences,
    each opened and closed once.
    """
    parts: list[str] = []
    before: Candidate | None = None
    for candidate in kept:
        parts += _joint(before, candidate)
        parts.append(candidate.text)
        before = candidate
    if before:
        parts += _end(before, total)
    return "".join(parts)


def _joint(before: Candidate | None, candidate: Candidate) -> list[str]:
    """What goes between two kept candidates."""
    if before is None:
        opening = f"{candidate.fence}\n" if candidate.fence else ""
        if candidate.number == 0:
            return [opening]
        return [GAP, "\n" if opening or not _flows(candidate) else " ", opening]
    gap = candidate.number != before.number + 1
    if before.block == candidate.block:
        return [_within(before, candidate, gap)]
    if before.fence and before.listing == candidate.listing:
        return ["\n", GAP, "\n"] if gap else [_line_breaks(before, candidate)]
    parts: list[str] = []
    if before.fence:
        parts += "\n", before.closing
    parts += ["\n", GAP, "\n"] if gap else [_line_breaks(before, candidate)]
    if candidate.fence:
        parts += candidate.fence, "\n"
    return parts


def _within(before: Candidate, candidate: Candidate, gap: bool) -> str:
    """Between two candidates of one block."""
    line_breaks = candidate.line - _last_line(before)
    if candidate.kind == "code" and line_breaks:
        return f"\n{GAP}\n" if gap else "\n" * line_breaks
    if gap:
        return f" {GAP} "
    if before.span.end == candidate.span.start:
        return ""
    return "\n" if line_breaks else " "


def _line_breaks(before: Candidate, candidate: Candidate) -> str:
    return "\n" if candidate.line - _last_line(before) <= 1 else "\n\n"


def _end(last: Candidate, total: int | None) -> list[str]:
    parts = ["\n", last.closing] if last.fence else []
    if total is not None and last.number + 1 < total:
        parts += "\n" if parts or not _flows(last) else " ", GAP
    return parts


def _flows(candidate: Candidate) -> bool:
    """Whether a mark may stand on the candidate's own line."""
    return candidate.kind == "sentence"


def _last_line(candidate: Candidate) -> int:
    return candidate.line + candidate.text.count("\n")
