"""The rerankers there are, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.render.cells import lines
from tamis.render.printable import one_line
from tamis.render.table import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.render.style import Style
    from tamis.rerank import DriverInfo


def rerankers_text(drivers: Sequence[DriverInfo], style: Style) -> str:
    """One line for each, and why those that cannot be used can't."""
    header = ("KEY", "NAME", "VERSION", "COST", "INSTALLED", "FROM")
    rows = [
        (
            one_line(driver.key),
            one_line(driver.name) if driver.name != driver.key else "",
            one_line(driver.version),
            "paid" if driver.has_cost else "free",
            _state(driver),
            "" if driver.package == "tamis" else one_line(driver.package),
        )
        for driver in drivers
    ]
    notes = [
        line
        for driver in drivers
        if driver.error
        for line in lines(f"! {one_line(driver.key)}: {one_line(driver.error)}", style.width)
    ]
    return "\n".join([table(header, rows, style), *notes])


def _state(driver: DriverInfo) -> str:
    if not driver.installed:
        return "no"
    return "broken" if driver.error else "yes"
