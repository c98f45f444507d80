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
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    style: Style,
    *,
    right: Collection[int] = (),
    last: int | None = None,
) -> str:
    """A header and rows of one-line cells.

    Args:
        right: Indexes of the columns that stand to the right, as numbers do.
        last: Cells that the last column is to have, or what it needs if that is less; where the terminal is too narrow for
            that, every row becomes lines of a name and a cell. Left out, the table is as wide as it is.
    """
    widths = [max(map(width, column)) for column in zip(header, *rows, strict=True)]
    if last is not None:
        needed = sum(widths[:-1]) + len(GAP) * (len(widths) - 1) + min(last, widths[-1])
        if needed > style.width:
            return "\n\n".join(_stacked(header, row, style) for row in rows)

    def line(cells: Sequence[str]) -> str:
        placed = (pad(cell, widths[index], right=index in right) for index, cell in enumerate(cells))
        return GAP.join(placed).rstrip()

    return "\n".join([style.paint(line(header), FAINT), *map(line, rows)])


def _stacked(header: Sequence[str], row: Sequence[str], style: Style) -> str:
    return pairs([(name or " ", cell) for name, cell in zip(header, row, strict=True)], style)


def pairs(rows: Sequence[tuple[str, str]], style: Style) -> str:
    """Names and what they are, one pair a line; pairs without a value are left out."""
    shown = [(name, value) for name, value in rows if value]
    widest = max((width(name) for name, _ in shown), default=0)
    return "\n".join(f"  {style.paint(pad(name, widest), FAINT)}{GAP}{value}" for name, value in shown)
