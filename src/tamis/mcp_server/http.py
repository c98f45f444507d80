"""Serving over streamable HTTP."""

from __future__ import annotations

import logging
import os
import socket
import sys
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import JSONResponse
from starlette.routing import Route

from tamis import __version__
from tamis.errors import ConfigError, InputError
from tamis.mcp_server.guard import HEALTH, Guard, is_loopback
from tamis.mcp_server.server import TamisServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from starlette.requests import Request

    from tamis.library import Library

PATH = "/mcp"
DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8747
TOKEN = "TAMIS_TOKEN"  # noqa: S105 the variable's name
LEAST_TOKEN = 16  # characters; fewer can be guessed over a network
MAX_BODY_BYTES = 32 * 1024 * 1024  # the longest text that corpus_amend takes, escaped, with room
STOP_SECONDS = 3.0
BACKLOG = 128  # connections that wait to be accepted

logger = logging.getLogger(__name__)


class Address(NamedTuple):
    host: str
    port: int


def parse_address(text: str) -> Address:
    """``HOST:PORT``, ``HOST``, ``PORT`` or ``[IPV6]:PORT``; port 0 takes a free one.

    Raises:
        InputError: It is none of these.
    """
    if text.isdecimal():
        host, port = DEFAULT_HOST, text
    elif text.startswith("["):
        host, _, rest = text[1:].partition("]")
        port = rest.removeprefix(":") or str(DEFAULT_PORT)
    else:
        host, _, port = text.rpartition(":") if ":" in text else (text, "", str(DEFAULT_PORT))
    if not host or not port.isdecimal() or int(port) > 65535 or (":" in host and not text.startswith("[")):
        raise InputError(
            f"{text!r} is no address", hint="write HOST:PORT, such as 127.0.0.1:8747 or [::1]:8747"
        )
    return Address(host, int(port))


def app(server: TamisServer, address: Address, *, token: str | None, hosts: Iterable[str] = ()) -> Guard:
    """The application: the protocol under ``/mcp``, ``/health``, and the guard before both.

    Raises:
        ConfigError: Other machines can reach the address and there is no token, or one that can be guessed.
    """
    token = (token or "").strip()  # a header's value has no space around it
    if not is_loopback(address.host):
        if not token:
            raise ConfigError(
                f"{address.host} can be reached from other machines and {TOKEN} is not set",
                hint=f"set {TOKEN} to a long random value, or serve on {DEFAULT_HOST}",
            )
        if len(token) < LEAST_TOKEN:
            raise ConfigError(f"{TOKEN} is too short", hint=f"use {LEAST_TOKEN} random characters or more")
    inner = server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=MAX_BODY_BYTES,
        # The guard outside looks at Host and Origin, for every path.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        custom_starlette_routes=[Route(HEALTH, _health)],
    )
    names = {address.host.lower(), *(name.lower() for name in hosts)} - {"0.0.0.0", "::"}  # noqa: S104 left out
    return Guard(inner, token or None, frozenset(names))


def serve(
    library: Callable[[], Library], address: str, *, hosts: Iterable[str] = (), compat: bool = False
) -> NoReturn:
    """Serve until SIGINT or SIGTERM; then the process ends.

    Args:
        library: Opens the library; called once.
        address: As ``parse_address`` takes it.
        hosts: Names that requests may be addressed to, besides loopback's and the address's own.
        compat: List the tools under the names that they had before tamis as well.

    Raises:
        InputError: The address makes no sense, or is taken.
        ConfigError: As ``app``, or the configuration does not hold.
    """
    import uvicorn

    logging.basicConfig(
        stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s"
    )
    logger.setLevel(logging.INFO)
    bound = parse_address(address)
    server = TamisServer(library, compat=compat)
    application = app(server, bound, token=os.environ.get(TOKEN), hosts=hosts)
    _ = server.calls.library  # what is wrong with the configuration is said at once
    listening = _listen(bound)
    host, port = listening.getsockname()[:2]
    logger.info("listening on http://%s:%d%s", f"[{host}]" if ":" in host else host, port, PATH)
    config = uvicorn.Config(
        application,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
        lifespan="on",
    )
    status = 0
    try:
        uvicorn.Server(config).run(sockets=[listening])
    except KeyboardInterrupt:
        status = 130
    server.calls.stop(STOP_SECONDS)
    sys.stderr.flush()
    # Threads that wait for a model would hold up an orderly end.
    os._exit(status)


async def _health(_: Request) -> JSONResponse:
    """That the server answers, and no more: it is there without a token."""
    return JSONResponse({"status": "ok", "name": "tamis", "version": __version__})


def _listen(address: Address) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(tuple(address))
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise InputError(
            f"cannot listen on {address.host}:{address.port}: {error.strerror}", hint="choose another port"
        ) from error
    return listening
