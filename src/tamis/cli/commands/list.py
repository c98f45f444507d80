"""``tamis list``."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tamis.cli.command import command as tamis_command
from tamis.render.corpora import list_text

if TYPE_CHECKING:
    from tamis.cli.session import Session


@tamis_command("list", examples='tamis list\ntamis list --json | jq -r ".result[].name"')
def command(session: Session) -> None:
    """List the corpora."""
    corpora = session.library.list()
    session.show(corpora, lambda style: list_text(corpora, style, datetime.now(UTC)) if corpora else "")
    for line in corpora:
        if line.problem is not None:
            session.warn(f"{line.name}: {line.problem}")
    if not corpora:
        session.note("there is no corpus yet; make one with: tamis index NAME PATH")
