"""``tamis reembed``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tamis.cli.command import command as tamis_command
from tamis.cli.completions import corpus_names
from tamis.cli.progress import progress
from tamis.render.reports import embed_text

if TYPE_CHECKING:
    from tamis.cli.session import Session


@tamis_command(
    "reembed",
    examples="tamis reembed notes --embedder ollama:nomic-embed-text\ntamis reembed notes --drop-old",
)
@click.argument("name", required=False, shell_complete=corpus_names)
@click.option("--embedder", metavar="KEY[:MODEL]", help="Embed with this; the corpus's own when left out.")
@click.option("--drop-old", is_flag=True, help="Delete the old vectors in the end.")
def command(session: Session, name: str | None, embedder: str | None, drop_old: bool) -> None:
    """Make all vectors anew with another embedder.

    The text comes from the corpus, not from the disk. Searches use the old vectors until the new ones are whole; the old ones stay,
    for a way back, unless they are dropped. Interrupted, it goes on where it stopped. NAME may be left out when there is one
    corpus.
    """
    with progress(session) as bar:
        report = session.corpus(name).reembed(embedder, drop_old=drop_old, progress=bar)
    session.show(report, lambda style: embed_text(report, style), warnings=report.warnings)
