"""A bar for long work, on stderr and only where a person looks at it."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tamis.cli.terminal import is_terminal

if TYPE_CHECKING:
    from collections.abc import Generator

    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

    from tamis.cli.session import Session
    from tamis.ports import Progress

# Reading that is over sooner shows no bar and pays for no import of one.
PATIENCE_SECONDS = 0.4
LABELS = {"read": "reading files", "embed": "making vectors"}


@contextmanager
def progress(session: Session) -> Generator[Progress]:
    """What to give to the library as ``progress``; the bar goes when the work ends, however it ends."""
    if session.quiet or not is_terminal(sys.stderr):
        yield _unseen
        return
    bars = Bars(plain=session.color is False)
    try:
        yield bars
    finally:
        bars.stop()


class Bars:
    """One line for each stage of the work."""

    def __init__(self, *, plain: bool = False) -> None:
        self._plain = plain
        self._since = time.monotonic()
        self._shown: RichProgress | None = None
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        if self._shown is None:
            if total is None and time.monotonic() - self._since < PATIENCE_SECONDS:
                return
            self._shown = _bars(self._plain)
            self._shown.start()
        if stage not in self._tasks:
            self._end_others()
            self._tasks[stage] = self._shown.add_task(LABELS.get(stage, stage), total=total, completed=done)
        self._shown.update(self._tasks[stage], completed=done, total=total)

    def stop(self) -> None:
        """Take the bars off the screen."""
        if self._shown is not None:
            self._shown.stop()

    def _end_others(self) -> None:
        """A stage that begins ends those before it: what was of unknown length is now known."""
        if self._shown is None:
            return
        for task in self._shown.tasks:
            self._shown.update(task.id, total=task.completed)


def _bars(plain: bool) -> RichProgress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed
            return Text("" if speed is None else f"{speed:,.0f}/s")

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        Rate(),
        TimeRemainingColumn(compact=True),
        console=Console(stderr=True, no_color=plain or None),
        transient=True,
        refresh_per_second=5,
    )


def _unseen(stage: str, done: int, total: int | None) -> None:
    """Progress that nobody watches."""
