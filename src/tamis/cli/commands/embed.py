"""``tamis embed``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tamis.cli.command import command as tamis_command
from tamis.cli.completions import corpus_names
from tamis.cli.progress import progress
from tamis.render.reports import embed_text

if TYPE_CHECKING:
    from tamis.cli.session import Session


@tamis_command("embed", examples="tamis embed notes")
@click.argument("name", required=False, shell_complete=corpus_names)
def command(session: Session, name: str | None) -> None:
    """Make the vectors that a corpus lacks.

    Interrupted, it goes on where it stopped; searches meanwhile use the vectors that there are. From now on, index and refresh
    make them too. NAME may be left out when there is one corpus.
    """
    with progress(session) as bar:
        report = session.corpus(name).embed(progress=bar)
    session.show(report, lambda style: embed_text(report, style), warnings=report.warnings)
