"""What a shell offers while a command is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.cli.session import Session
from tamis.errors import TamisError

if TYPE_CHECKING:
    import click


def corpus_names(context: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """Names of the corpora that begin with what was typed; nothing where the library cannot be opened."""
    session = context.find_object(Session)
    if session is None:
        return []
    try:
        return [name for name in session.library.names() if name.startswith(incomplete)]
    except (TamisError, OSError):
        return []  # a shell that completes has no place for an error
