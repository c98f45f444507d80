"""What reranking was charged, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.render.printable import one_line
from tamis.render.table import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.render.style import Style
    from tamis.rerank import CostSum
    from tamis.rerank.ledger import By


def costs_text(sums: Sequence[CostSum], by: Sequence[By], style: Style) -> str:
    """One line for each sum, and the total."""
    header = (*(field.upper() for field in by), "CALLS", "CENTS")
    rows = [
        (*(one_line(getattr(item, field) or "-") for field in by), f"{item.calls:,}", f"{item.cents:,.4f}")
        for item in sums
    ]
    if len(sums) > 1:
        calls, cents = sum(item.calls for item in sums), sum(item.cents for item in sums)
        rows.append(("total", *("" for _ in by[1:]), f"{calls:,}", f"{cents:,.4f}"))
    return table(header, rows, style, right=(len(by), len(by) + 1))
