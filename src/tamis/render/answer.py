"""An answer for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.render.cells import lines
from tamis.render.printable import one_line, printable
from tamis.render.style import BOLD, FAINT, YELLOW

if TYPE_CHECKING:
    from tamis.render.style import Style
    from tamis.types import Answer


def answer_text(answer: Answer, style: Style) -> str:
    """The answer, the places that it cites, and what to know about what it rests on."""
    parts: list[str] = []
    if answer.abstained:
        parts.append(style.paint("no answer", BOLD))
    for paragraph in printable(answer.answer).split("\n"):
        parts += list(lines(paragraph, style.width)) or [""]
    if answer.citations:
        parts.append("")
    for item in answer.citations:
        first, last = item.lines
        place = f"{style.path(item.path)}:{first}" + (f"-{last}" if last != first else "")
        where = " › ".join(map(one_line, item.heading_path)) or one_line(item.title)
        parts.append(f"[{item.number}] {style.paint(place, BOLD)}  {style.paint(where, FAINT)}".rstrip())
    for note in answer.coverage_notes:
        parts += [style.paint(line, YELLOW) for line in lines(f"note: {one_line(note)}", style.width)]
    return "\n".join(part for at, part in enumerate(parts) if part or at)
