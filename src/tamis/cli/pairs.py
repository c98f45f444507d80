"""Options of the form ``name=value``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Sequence


def pairs(_: click.Context, __: click.Parameter, values: Sequence[str]) -> dict[str, str]:
    """The names and their values; a callback of an option that may be repeated."""
    parts = [value.partition("=") for value in values]
    for name, sign, _rest in parts:
        if not name or not sign:
            raise click.BadParameter(f"{name!r} is not an option and its value, such as blend=0.5")
    return {name: value for name, _sign, value in parts}
