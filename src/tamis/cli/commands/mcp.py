"""``tamis mcp``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tamis.cli.command import command as tamis_command

if TYPE_CHECKING:
    from tamis.cli.session import Session

DEFAULT_ADDRESS = "127.0.0.1:8747"


@tamis_command(
    "mcp",
    examples="""
        tamis mcp
        tamis mcp --compat
        tamis mcp --http
        TAMIS_TOKEN=... tamis mcp --http 0.0.0.0:8747 --allow-host search.example.org
    """,
)
@click.option("--http", "address", metavar="[HOST:PORT]", is_flag=False, flag_value=DEFAULT_ADDRESS,
              help=f"Serve over streamable HTTP, at {DEFAULT_ADDRESS} when no address is given.")  # fmt: skip
@click.option("--allow-host", "hosts", metavar="NAME", multiple=True,
              help="With --http: also answer requests for this host name; may be repeated.")  # fmt: skip
@click.option(
    "--compat", is_flag=True, help="List the tools under the names that they had before tamis as well."
)
def command(session: Session, address: str | None, hosts: tuple[str, ...], compat: bool) -> None:
    """Serve the corpora to a model's client over MCP.

    Without --http the client starts this command and speaks to it over stdin and stdout. An address that other machines can
    reach is served only with a bearer token in TAMIS_TOKEN.
    """
    if session.servers is None:
        raise click.UsageError("this command line was started without its servers")
    if address is not None:
        session.servers.http(lambda: session.library, address, hosts=hosts, compat=compat)
    elif hosts:
        raise click.UsageError("--allow-host goes with --http")
    else:
        session.servers.stdio(lambda: session.library, compat=compat)
