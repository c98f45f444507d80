"""``tamis config``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tamis.cli.command import command as tamis_command
from tamis.render.settings import settings_text

if TYPE_CHECKING:
    from tamis.cli.session import Session


@click.group("config")
def command() -> None:
    """Show the configuration."""


@tamis_command("show", examples="tamis config show\nTAMIS_SEARCH_TOP_K=5 tamis config show")
def show(session: Session) -> None:
    """Show each setting, its value and where that comes from.

    Defaults give way to tamis.toml, that to environment variables (TAMIS_ and the key in capitals, TAMIS_SEARCH_TOP_K), and
    those to options.
    """
    from tamis.library.settings import settings

    found = settings(session.library)
    session.show(found, lambda style: settings_text(found, style))


command.add_command(show)
