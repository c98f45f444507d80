"""What the doctor found, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.render.cells import lines, pad, width
from tamis.render.printable import one_line
from tamis.render.style import BOLD, FAINT, GREEN, RED, YELLOW

if TYPE_CHECKING:
    from tamis.library.doctor import Diagnosis
    from tamis.render.style import Style

SIGNS = {"ok": ("✓", GREEN), "note": ("·", FAINT), "warning": ("!", YELLOW), "failed": ("✗", RED)}


def diagnosis_text(diagnosis: Diagnosis, style: Style) -> str:
    """A line for each check, under the heading of its kind; the remedy under what is wrong."""
    widest = max((width(one_line(check.name)) for check in diagnosis.checks), default=0)
    parts: list[str] = []
    topic = ""
    for check in diagnosis.checks:
        if check.topic != topic:
            topic = check.topic
            parts.append(style.paint(topic, BOLD))
        sign, colour = SIGNS[check.status]
        head = f"  {style.paint(sign, colour)} {pad(one_line(check.name), widest)}  "
        margin = widest + 6
        room = max(20, style.width - margin)
        told = list(lines(one_line(check.detail), room)) or [""]
        told += [style.paint(line, YELLOW) for line in lines(f"→ {one_line(check.hint)}", room) if check.hint]
        parts.append((head + told[0]).rstrip())
        parts += [" " * margin + line for line in told[1:]]
    return "\n".join(parts)
