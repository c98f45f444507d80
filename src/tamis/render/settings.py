"""The configuration in force and where each value comes from, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from tamis.render.printable import one_line
from tamis.render.table import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.library.settings import Setting
    from tamis.render.style import Style


def settings_text(settings: Sequence[Setting], style: Style) -> str:
    """One line for each key of ``tamis.toml``."""
    rows = [(item.key, _spelled(item.value), style.path(item.origin)) for item in settings]
    return table(("KEY", "VALUE", "FROM"), rows, style)


def _spelled(value: object) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return str(value).lower()
        case dict():
            items = cast("dict[str, object]", value).items()
            return ", ".join(f"{key}={_spelled(item)}" for key, item in items) or "-"
        case list() | tuple():
            return ", ".join(map(_spelled, value)) or "-"  # pyright: ignore[reportUnknownArgumentType]
        case _:
            return one_line(str(value))
