"""``tamis`` and ``python -m tamis``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tamis.library import Library


def main() -> int:
    """Run the command line; returns the exit status."""
    if sys.argv[1:] == ["--version"]:
        # Before anything is imported that takes time: installers and shells ask for it often.
        from tamis import __version__

        sys.stdout.write(f"tamis {__version__}\n")
        return 0
    try:
        from tamis.cli.main import main as run
        from tamis.cli.servers import Servers
    except KeyboardInterrupt:
        return 130
    return run(servers=Servers(_serve_stdio, _serve_http))


def _serve_stdio(library: Callable[[], Library], *, compat: bool) -> None:
    from tamis.mcp_server.stdio import serve

    serve(library, compat=compat)


def _serve_http(library: Callable[[], Library], address: str, *, hosts: Iterable[str], compat: bool) -> None:
    from tamis.mcp_server.http import serve

    serve(library, address, hosts=hosts, compat=compat)


if __name__ == "__main__":
    sys.exit(main())
