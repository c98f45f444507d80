"""What starts the servers. They are shells of their own, so the command line is given them and imports none."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tamis.library import Library


class ServeStdio(Protocol):
    """Serves one client over stdin and stdout, until it goes."""

    def __call__(self, library: Callable[[], Library], *, compat: bool) -> None: ...


class ServeHttp(Protocol):
    """Serves over HTTP at an address, until it is told to stop."""

    def __call__(
        self, library: Callable[[], Library], address: str, *, hosts: Iterable[str], compat: bool
    ) -> None: ...


class Servers(NamedTuple):
    """The two ways to serve MCP; importing a server is left to the moment when it is started."""

    stdio: ServeStdio
    http: ServeHttp
