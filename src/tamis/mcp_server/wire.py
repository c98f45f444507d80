"""Standard input and output, taken for the protocol alone."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from typing import TYPE_CHECKING

from tamis.mcp_server.messages import readable

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

STDIN, STDOUT, STDERR = 0, 1, 2


class Input(TextIOWrapper):
    """Text lines that are messages; ``answer`` is given the error for one that is none.

    ``ended`` is called once at their end, before the end is passed on.
    """

    def __init__(self, buffer: BinaryIO, answer: Callable[[str], None]) -> None:
        super().__init__(buffer, encoding="utf-8", errors="replace")
        self.ended: Callable[[], None] | None = None
        self._answer = answer

    def readline(self, size: int = -1, /) -> str:
        while line := super().readline(size):
            if (message := readable(line, self._answer)) is not None:
                return message
        if self.ended is not None:
            ended, self.ended = self.ended, None
            ended()
        return ""


def claim() -> tuple[Input, TextIOWrapper]:
    """Take both streams.

    What else writes to stdout from here on, in Python or below it, writes to stderr; what reads stdin finds it empty.
    """
    sys.stdout.flush()
    wire_in, wire_out = os.dup(STDIN), os.dup(STDOUT)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, STDIN)
    os.close(empty)
    os.dup2(STDERR, STDOUT)
    out = TextIOWrapper(os.fdopen(wire_out, "wb"), encoding="utf-8", newline="\n")

    def answer(line: str) -> None:
        # A line is one write, here and in the SDK, so that lines from two threads do not mix.
        out.write(line)
        out.flush()

    return Input(os.fdopen(wire_in, "rb"), answer), out
