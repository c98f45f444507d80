"""One run of the command line: the options of every command, the library, and what is shown."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from tamis.cli import terminal
from tamis.render import encode, one_line, wrap
from tamis.render.style import FAINT, RED, YELLOW

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tamis.cli.servers import Servers
    from tamis.library import Corpus, Library
    from tamis.render import Style


class Session:
    """What the commands work with. ``stdout`` takes results and nothing else.

    ``color`` is ``None`` where it is left to the terminal; ``servers`` where none can be started.
    """

    def __init__(self, servers: Servers | None = None) -> None:
        self.servers = servers
        self.json = False
        self.home: str | None = None
        self.config: str | None = None
        self.color: bool | None = None
        self.quiet = False
        self.debug = False
        self._started = time.perf_counter()
        self._library: Library | None = None

    # -- the library --------------------------------------------------------------------------------------

    @property
    def library(self) -> Library:
        """The library that ``--home`` and ``--config`` name, opened when it is first used."""
        if self._library is None:
            from tamis.library import open

            self._library = open(self.home, config=self.config)
        return self._library

    def corpus(self, name: str | None) -> Corpus:
        """The corpus of that name; the only one there is when none is named."""
        return self.library.only() if name is None else self.library.corpus(name)

    def close(self) -> None:
        """Let go of the library's files."""
        if self._library is not None:
            self._library.close()

    # -- output -------------------------------------------------------------------------------------------

    def show(
        self,
        value: object,
        text: Callable[[Style], str],
        *,
        warnings: Iterable[str] = (),
        whole: bool = False,
    ) -> None:
        """Bring out a result: the envelope with ``--json``, else its text, if there is any, and its warnings.

        Args:
            text: Makes the text.
            warnings: Shown on stderr with the text; in JSON the value's own are in the envelope.
            whole: In JSON, give hits their whole text.
        """
        if self.json:
            envelope = wrap(value, (time.perf_counter() - self._started) * 1000, text=whole)
            self._show_json(sys.stdout, envelope.data())
            return
        if shown := text(terminal.style_for(sys.stdout, self.color)):
            terminal.write(sys.stdout, shown)
        reasons = (getattr(value, "degrade_reason", None) or "").split("; ")
        for warning in warnings:
            # What was asked for was not done: even who wants no warnings has to know.
            self.warn(warning, always=any(reason and reason in warning for reason in reasons))

    def warn(self, message: str, *, always: bool = False) -> None:
        """Say on stderr what a person should know; ``always``: in spite of ``--quiet``."""
        self._say("warning", YELLOW, message, always=always)

    def note(self, message: str) -> None:
        """Say on stderr what may help a person."""
        if not self.quiet and not self.json:
            terminal.write(sys.stderr, self._paint(message, FAINT))

    def show_error(self, data: dict[str, Any]) -> None:
        """Bring out an error, as ``render.error_data`` gives it, on stderr."""
        if self.json:
            self._show_json(sys.stderr, data)
            return
        terminal.write(sys.stderr, f"{self._paint('error:', RED)} {one_line(data['message'])}")
        if data["hint"]:
            terminal.write(sys.stderr, f"{self._paint('hint:', YELLOW)} {one_line(data['hint'])}")

    def _say(self, kind: str, colour: str, message: str, *, always: bool = False) -> None:
        if (always or not self.quiet) and not self.json:
            terminal.write(sys.stderr, f"{self._paint(kind + ':', colour)} {one_line(message)}")

    def _paint(self, text: str, colour: str) -> str:
        return terminal.style_for(sys.stderr, self.color).paint(text, colour)

    @staticmethod
    def _show_json(stream: Any, data: Any) -> None:
        terminal.write_bytes(stream, encode(data, indent=terminal.is_terminal(stream)) + b"\n")
