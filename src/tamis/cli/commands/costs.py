"""``tamis costs``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tamis.cli.command import command as tamis_command
from tamis.render.costs import costs_text

if TYPE_CHECKING:
    from tamis.cli.session import Session
    from tamis.rerank.ledger import By


@tamis_command(
    "costs",
    examples="""
        tamis costs
        tamis costs --by scope --by day --since 2026-01-01
    """,
)
@click.option("--by", type=click.Choice(("driver", "scope", "day")), metavar="FIELD", multiple=True,
              help="Sum by driver, scope or day (UTC); may be repeated. By driver when left out.")  # fmt: skip
@click.option("--since", metavar="DAY", help="Only what was charged on this day (YYYY-MM-DD, UTC) or later.")
def command(session: Session, by: tuple[By, ...], since: str | None) -> None:
    """Sum what reranking was charged.

    In US cents, as the services or the price table told them.
    """
    from tamis.library.reranking import costs

    fields: tuple[By, ...] = tuple(dict.fromkeys(by)) or ("driver",)
    sums = costs(session.library, fields, since)
    session.show(sums, lambda style: costs_text(sums, fields, style) if sums else "")
    if not sums:
        session.note("nothing was charged" + (f" since {since}" if since else ""))
