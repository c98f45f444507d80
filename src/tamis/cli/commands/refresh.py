"""``tamis refresh``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tamis.cli.command import command as tamis_command
from tamis.cli.completions import corpus_names
from tamis.cli.progress import progress
from tamis.render.reports import refresh_text

if TYPE_CHECKING:
    from tamis.cli.session import Session


@tamis_command("refresh", examples="tamis refresh notes\ntamis refresh notes --verify --retry-failed")
@click.argument("name", required=False, shell_complete=corpus_names)
@click.option("--verify", is_flag=True, help="Read every file, whatever its size and time say.")
@click.option("--retry-failed", is_flag=True, help="Try again what could not be read or embedded before.")
@click.option("--dense/--no-dense", default=None, help="Make vectors at once, or leave it to tamis embed.")
def command(session: Session, name: str | None, verify: bool, retry_failed: bool, dense: bool | None) -> None:
    """Bring a corpus in line with the disk.

    Reads what was added or changed and drops what is gone, with the settings the corpus was made with. Amended text gives way
    to the disk's. What cannot be read keeps its old text, and so does all of a folder that is not there.

    Vectors are made if the run before made them. NAME may be left out when there is one corpus.
    """
    with progress(session) as bar:
        report = session.corpus(name).refresh(
            verify=verify, retry_failed=retry_failed, dense=dense, progress=bar
        )
    session.show(report, lambda style: refresh_text(report, style), warnings=report.warnings)
