"""Run the command line and map what comes of it to an exit status.

0 done (an empty result is one), 1 failed, 2 wrong usage, 3 no such corpus or one that cannot be used, 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from tamis.cli import failures, terminal
from tamis.cli.session import Session

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.cli.servers import Servers

PROGRAM = "tamis"
COMPLETE = "_TAMIS_COMPLETE"


def main(arguments: Sequence[str] | None = None, *, servers: Servers | None = None) -> int:
    """Run ``tamis`` with these arguments, or the process's; returns the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    session = Session(servers)
    # Errors in the arguments are shown as JSON too, even where the parser did not come as far as the option.
    session.json = "--json" in (given[: given.index("--")] if "--" in given else given)
    try:
        status = _run(given, session)
        terminal.flush()
    except BrokenPipeError:
        # Whoever read the output has seen enough.
        terminal.silence(sys.stdout)
        return 0
    except KeyboardInterrupt:
        return failures.interrupted(session)
    except Exception as error:  # noqa: BLE001 the one place: a user sees a message, never a raw exception
        return failures.report(error, session)
    finally:
        session.close()
    return status


def _run(arguments: list[str], session: Session) -> int:
    from tamis.cli.group import cli

    if instruction := os.environ.get(COMPLETE):
        from click.shell_completion import shell_complete

        return shell_complete(cli, {"obj": session}, PROGRAM, COMPLETE, instruction)
    try:
        with cli.make_context(PROGRAM, arguments, obj=session) as context:
            return cli.invoke(context) or 0
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.exceptions.NoArgsIsHelpError as asked:
        terminal.write(sys.stderr, asked.format_message())
        return asked.exit_code
