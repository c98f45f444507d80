"""Serving over standard input and output; the process ends with its client."""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING, NoReturn

from tamis.mcp_server import sdk
from tamis.mcp_server.wire import claim

if TYPE_CHECKING:
    from collections.abc import Callable
    from io import TextIOWrapper

    from tamis.library import Library
    from tamis.mcp_server.server import TamisServer
    from tamis.mcp_server.wire import Input

# All of these together stay well under the second that a client waits before it kills a server.
ANSWER_SECONDS = 0.4  # for short requests that came just before the end
SETTLE_SECONDS = 0.05  # for what is on its way between threads
STOP_SECONDS = 0.3  # for long work to reach a step and stop
LAST_SECONDS = 0.85  # after which the process ends, whatever hangs


def serve(library: Callable[[], Library], *, compat: bool = False) -> NoReturn:
    """Serve one client; the process ends when standard input does or the parent is gone.

    Long work in progress is told to stop; what it has not committed by then is lost as in a crash, which leaves corpora whole.

    Args:
        library: Opens the library; called once.
        compat: List the tools under the names that they had before tamis as well.

    Raises:
        ConfigError: The configuration does not hold.
    """
    wire_in, wire_out = claim()
    gc.disable()  # starting makes many objects and no garbage worth a search
    logging.basicConfig(stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    sdk.load()
    from tamis.mcp_server.server import TamisServer

    server = TamisServer(library, compat=compat)
    _ = server.calls.library  # what is wrong with the configuration is said at once
    wire_in.ended = lambda: _at_the_end(server)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: _end(server, 128 + number))
    threading.Thread(target=_watch_parent, args=(server,), daemon=True, name="parent").start()
    gc.freeze()
    gc.enable()
    try:
        import anyio

        anyio.run(_serve, server, wire_in, wire_out)
    except BaseException:
        logging.getLogger(__name__).exception("the server failed")
        _end(server, 1)
    _end(server, 0)


async def _serve(server: TamisServer, wire_in: Input, wire_out: TextIOWrapper) -> None:
    import anyio
    from mcp.server.stdio import stdio_server

    async with stdio_server(anyio.wrap_file(wire_in), anyio.wrap_file(wire_out)) as (read, write):
        await server.run(read, write, server.create_initialization_options())


def _at_the_end(server: TamisServer) -> None:
    """Give the answers to the last requests a moment, and set the instant at which nothing is waited for any more."""
    last = threading.Timer(LAST_SECONDS, os._exit, (0,))
    last.daemon = True
    last.start()
    settling = threading.Event()
    settling.wait(SETTLE_SECONDS)
    server.calls.wait_for_answers(ANSWER_SECONDS)
    settling.wait(SETTLE_SECONDS)


def _watch_parent(server: TamisServer) -> None:
    from tamis.mcp_server.parent import wait_for_parents_end

    wait_for_parents_end()
    _end(server, 0)


def _end(server: TamisServer, status: int) -> NoReturn:
    """End without waiting for threads: one that waits for a model or a disk would hold up an orderly end."""
    server.calls.stop(STOP_SECONDS)
    sys.stderr.flush()
    os._exit(status)
