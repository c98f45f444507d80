"""Every way in which a command can end badly, made one message and one exit status."""

from __future__ import annotations

import errno
import sys
from typing import TYPE_CHECKING

import click

from tamis.cli import terminal
from tamis.errors import InputError, TamisError
from tamis.render import error_data

if TYPE_CHECKING:
    from tamis.cli.session import Session

_DENIED = "see who may read and write there, or name another place: --home, TAMIS_HOME"
_HINTS = {
    errno.ENOSPC: "make room and run it again",
    errno.EACCES: _DENIED,
    errno.EPERM: _DENIED,
    errno.EROFS: _DENIED,
}
INTERRUPTED = 130  # 128 + SIGINT, as shells report it


def report(error: Exception, session: Session) -> int:
    """Show an error; returns the exit status."""
    if session.debug:
        import traceback

        traceback.print_exception(error)
    if isinstance(error, click.Abort):
        return interrupted(session)
    known = _known(error)
    session.show_error(error_data(known))
    return known.exit_status if isinstance(known, TamisError) else 1


def interrupted(session: Session, outcome: str = "what was done is kept") -> int:
    """Say that the user stopped the work, and what came of it; returns the exit status."""
    stopped = TamisError(f"interrupted; {outcome}", code="INTERRUPTED", retryable=True)
    if terminal.is_terminal(sys.stderr):
        terminal.write(sys.stderr, "")  # ends the line that the terminal's ^C stands on
    session.show_error(error_data(stopped))
    return INTERRUPTED


def _known(error: Exception) -> Exception:
    if isinstance(error, click.UsageError):
        command = error.ctx.command_path if error.ctx else "tamis"
        return InputError(error.format_message(), hint=f"see: {command} -h")
    if isinstance(error, click.ClickException):
        return TamisError(error.format_message())
    if isinstance(error, OSError) and error.errno is not None:
        # The system's own words are better than ours for a full disk, a missing permission and the like.
        where = f"{error.filename}: " if error.filename else ""
        return TamisError(f"{where}{error.strerror}", hint=_HINTS.get(error.errno, ""))
    return error
