"""Columns that stand one under the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.render.cells import pad, width
from tamis.render.style import FAINT

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tamis.render.style import Style

GAP = "  "


def table(
    header: Sequence[str], rows: Sequence[Sequence[str]], style: Style, *, right: Collection[int] = ()
) -> str:
    """A header and rows of one-line cells.

    Args:
        right: Indexes of the columns that stand to the right, as numbers do.
    """
    widths = [max(map(width, column)) for column in zip(header, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        placed = (pad(cell, widths[index], right=index in right) for index, cell in enumerate(cells))
        return GAP.join(placed).rstrip()

    return "\n".join([style.paint(line(header), FAINT), *map(line, rows)])


def pairs(rows: Sequence[tuple[str, str]], style: Style) -> str:
    """Names and what they are, one pair a line; pairs without a value are left out."""
    shown = [(name, value) for name, value in rows if value]
    widest = max((width(name) for name, _ in shown), default=0)
    return "\n".join(f"  {style.paint(pad(name, widest), FAINT)}{GAP}{value}" for name, value in shown)
