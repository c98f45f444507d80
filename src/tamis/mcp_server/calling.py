"""Carrying out a call: arguments checked, work in a thread of its lane, progress and cancellation on the way."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import anyio.from_thread
import anyio.to_thread

from tamis.errors import InputError
from tamis.mcp_server import arguments, replies
from tamis.mcp_server.jobs import CancelledError, Jobs
from tamis.mcp_server.paging import Waiting
from tamis.mcp_server.tool import Call, Lane

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.server.session import ServerSession
    from mcp_types import CallToolResult

    from tamis.library import Library
    from tamis.mcp_server.arguments import Paged
    from tamis.mcp_server.tool import Answer, Tool
    from tamis.ports import Progress

PROGRESS_SECONDS = 0.1  # between two notifications
LABELS = {"read": "reading files", "embed": "making vectors"}

Step = tuple[float, float | None, str]


class Calls:
    """What the calls of one server share: the library, the jobs, the threads, and what did not fit into replies.

    Args:
        library: Opens the library when it is first needed; called once.
    """

    def __init__(self, library: Callable[[], Library]) -> None:
        self.jobs = Jobs()
        self._open = library
        self._library: Library | None = None
        self._opening = threading.Lock()
        self._waiting = Waiting()
        self._lanes: dict[Lane, anyio.CapacityLimiter] = {}
        self._running: set[threading.Event] = set()
        self._answering = 0
        self._changed = threading.Condition()

    @property
    def library(self) -> Library:
        """The library; opening it may raise ``ConfigError``."""
        with self._opening:
            if self._library is None:
                self._library = self._open()
            return self._library

    async def run(
        self, tool: Tool, raw: Mapping[str, Any], session: ServerSession, only: frozenset[str] | None = None
    ) -> CallToolResult:
        """The tool's reply, or its failure; only cancellation raises.

        Args:
            only: The arguments that there are under the name that was called; all of the tool's when left out.
        """
        try:
            raw = arguments.mended(dict(raw))  # over HTTP nothing has mended it
            if raw.get("cursor") is not None:
                arguments.check_names(tool.arguments, raw, only=only)
                # The rest of a reply needs no argument of the tool's own, and max_tokens may be one.
                own = {"cursor"} if tool.budgets_itself else arguments.PAGING
                pages = arguments.read(arguments.Paged, {name: raw[name] for name in own if name in raw})
                work = partial(self._next_page, tool, pages)
                return await self._in_thread(work, Lane.QUICK, _unwatched)
            parsed = arguments.read(tool.arguments, raw, only)
            work = partial(self._work, tool, parsed, raw)
            lane = tool.lane_of(parsed)
            if lane is Lane.WORK:
                return await self._with_progress(work, lane, session)
            return await self._in_thread(work, lane, _unwatched)
        except Exception as error:  # noqa: BLE001 the one place: a client reads a message, never a traceback
            return replies.failure(error)

    @contextmanager
    def answering(self) -> Generator[None]:
        """Count a request as being answered."""
        with self._changed:
            self._answering += 1
        try:
            yield
        finally:
            with self._changed:
                self._answering -= 1
                self._changed.notify_all()

    def wait_for_answers(self, timeout: float) -> None:
        """Wait until all requests are answered but those for long work, no longer than ``timeout`` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._answering <= len(self._running), timeout)

    def stop(self, timeout: float) -> None:
        """Tell all work to stop, and wait for the jobs' threads, but no longer than ``timeout`` seconds."""
        for stop in list(self._running):
            stop.set()
        self.jobs.stop(timeout)

    # -- in the thread ------------------------------------------------------------------------------------

    def _work(self, tool: Tool, parsed: Paged, raw: Mapping[str, Any], progress: Progress) -> CallToolResult:
        started = time.perf_counter()
        asked = None if tool.budgets_itself else arguments.given(parsed.max_tokens)
        max_tokens = asked or arguments.DEFAULT_MAX_TOKENS
        answer: Answer = tool.run(Call(self.library, self.jobs, raw, progress), parsed)
        return replies.reply(tool.name, answer, started, max_tokens, self._waiting)

    def _next_page(self, tool: Tool, pages: Paged, _: Progress) -> CallToolResult:
        rest = self._waiting.find(arguments.given(pages.cursor) or "")
        if rest.tool != tool.name:
            raise InputError(
                f"the cursor is one of {rest.tool}", hint=f"call {rest.tool} with it", code="CURSOR_EXPIRED"
            )
        asked = arguments.given(pages.max_tokens) or arguments.DEFAULT_MAX_TOKENS
        return replies.next_page(rest, asked, self._waiting)

    # -- in the loop --------------------------------------------------------------------------------------

    async def _in_thread(
        self, work: Callable[[Progress], CallToolResult], lane: Lane, report: Progress
    ) -> CallToolResult:
        limiter = self._lanes.setdefault(lane, anyio.CapacityLimiter(lane.value))
        return await anyio.to_thread.run_sync(work, report, limiter=limiter, abandon_on_cancel=True)

    async def _with_progress(
        self, work: Callable[[Progress], CallToolResult], lane: Lane, session: ServerSession
    ) -> CallToolResult:
        stop = threading.Event()
        self._running.add(stop)
        send, receive = anyio.create_memory_object_stream[Step](1)
        reply: CallToolResult | None = None
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(_forward, receive, session)
                async with send:
                    try:
                        reply = await self._in_thread(work, lane, Steps(stop, send))
                    except Exception as error:  # noqa: BLE001 as in run; a task group would wrap it
                        reply = replies.failure(error)
            assert reply is not None
            # The steps that were on their way have gone before it.
            return reply
        finally:
            # The thread finds out at its next step; until then it works on by itself.
            stop.set()
            self._running.discard(stop)


class Steps:
    """What a thread reports its progress to: one rising number over all stages of the work."""

    def __init__(self, stop: threading.Event, send: MemoryObjectSendStream[Step]) -> None:
        self._stop = stop
        self._send = send
        self._before = 0  # steps of the stages that are over
        self._stage = ""
        self._done = 0
        self._told = 0.0

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        if self._stop.is_set():
            raise CancelledError("the call was cancelled; what was done is kept")
        begins = stage != self._stage
        if begins:
            # One more, so that the number rises and the client hears of the new stage.
            self._before += self._done + (1 if self._stage else 0)
            self._stage = stage
        self._done = done
        now = time.monotonic()
        if now - self._told < PROGRESS_SECONDS and done != total and not begins:
            return
        self._told = now
        of = None if total is None else self._before + total
        message = f"{LABELS.get(stage, stage)}: {done:,}{'' if total is None else f' of {total:,}'}"
        anyio.from_thread.run_sync(_offer, self._send, (float(self._before + done), of, message))


def _offer(send: MemoryObjectSendStream[Step], step: Step) -> None:
    try:
        send.send_nowait(step)
    except (anyio.WouldBlock, anyio.ClosedResourceError, anyio.BrokenResourceError):
        return  # a client that reads slowly misses a step; nobody waits for it


async def _forward(receive: MemoryObjectReceiveStream[Step], session: ServerSession) -> None:
    reached = -1.0
    async with receive:
        async for progress, total, message in receive:
            if progress > reached:
                reached = progress
                await session.report_progress(progress, total, message)


def _unwatched(stage: str, done: int, total: int | None) -> None:
    """Progress of work that is too short for any."""
