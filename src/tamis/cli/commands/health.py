"""``tamis health``."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from tamis.cli.command import command as tamis_command
from tamis.cli.completions import corpus_names
from tamis.render.corpora import health_text

if TYPE_CHECKING:
    from tamis.cli.session import Session


@tamis_command("health", examples="tamis health notes\ntamis health notes --detailed")
@click.argument("name", required=False, shell_complete=corpus_names)
@click.option("--detailed", is_flag=True, help="Add a line for each file.")
def command(session: Session, name: str | None, detailed: bool) -> None:
    """Tell what a corpus holds and what may be wrong with it.

    NAME may be left out when there is one corpus.
    """
    report = session.corpus(name).health(detailed=detailed)
    session.show(report, lambda style: health_text(report, style, datetime.now(UTC)))
