"""``tamis rerankers``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.cli.command import command as tamis_command
from tamis.render.rerankers import rerankers_text

if TYPE_CHECKING:
    from tamis.cli.session import Session


@tamis_command("rerankers", examples='tamis rerankers\ntamis rerankers --json | jq -r ".result[].key"')
def command(session: Session) -> None:
    """List the rerankers.

    Those of tamis and those that other packages bring, by name. KEY is what --rerank takes. A package whose reranker does not
    load is listed with its error.
    """
    from tamis.rerank import available

    drivers = available()
    session.show(drivers, lambda style: rerankers_text(drivers, style))
