"""``tamis history``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tamis.cli.command import command as tamis_command
from tamis.cli.completions import corpus_names
from tamis.render.corpora import history_text

if TYPE_CHECKING:
    from tamis.cli.session import Session


@tamis_command("history", examples="tamis history notes")
@click.argument("name", required=False, shell_complete=corpus_names)
def command(session: Session, name: str | None) -> None:
    """List every amend of a corpus.

    The oldest comes first. NAME may be left out when there is one corpus.
    """
    amends = session.corpus(name).history()
    session.show(amends, lambda style: history_text(amends, style) if amends else "")
    if not amends:
        session.note("nothing was ever amended")
