"""``tamis remove``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from tamis.cli.command import command as tamis_command
from tamis.cli.completions import corpus_names
from tamis.cli.failures import interrupted
from tamis.cli.terminal import is_terminal
from tamis.errors import InputError

if TYPE_CHECKING:
    from tamis.cli.session import Session
NOTHING = "nothing was removed"


@tamis_command("remove", examples="tamis remove notes\ntamis remove notes --yes")
@click.argument("name", shell_complete=corpus_names)
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
def command(session: Session, name: str, yes: bool) -> int:
    """Delete a corpus; the documents stay.

    Asks first. Without a terminal to ask at, --yes must be given.
    """
    library = session.library
    # What is no corpus is an error, or was begun and never made: neither is worth a question.
    try:
        agreed = yes or name not in library.names() or _agreed(name)
    except (click.Abort, KeyboardInterrupt):
        return interrupted(session, NOTHING)
    if not agreed:
        session.note(NOTHING)
        return 1
    library.remove(name)
    session.show({"name": name, "removed": True}, lambda _: f"removed {name}")
    return 0


def _agreed(name: str) -> bool:
    if not is_terminal(sys.stdin):
        raise InputError(
            f"removing {name!r} must be confirmed", hint="add --yes to remove it without being asked"
        )
    return click.confirm(f"Remove the corpus {name!r}, with its vectors and amends?", default=False, err=True)
