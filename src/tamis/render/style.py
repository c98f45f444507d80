"""How text for people is laid out. Knows of no terminal: who writes to one says what it can do."""

from __future__ import annotations

import os
from dataclasses import dataclass

from tamis.render.printable import one_line

BOLD, FAINT, RED, GREEN, YELLOW, MATCH = "1", "2", "31", "32", "33", "1;31"


@dataclass(frozen=True, slots=True)
class Style:
    """``width`` in cells of a terminal. Paths under ``cwd`` or ``home`` are shown shorter."""

    colour: bool = False
    width: int = 80
    cwd: str = ""
    home: str = ""

    def paint(self, text: str, code: str) -> str:
        """The text in a colour, where there are colours."""
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text

    def path(self, path: str) -> str:
        """A path that can be pasted into a shell at the same place, on one line."""
        shown = path
        for folder, sign in ((self.cwd, ""), (self.home, "~" + os.sep)):
            start = folder.rstrip(os.sep) + os.sep
            if folder and len(start) > 1 and path.startswith(start):
                shown = sign + path.removeprefix(start)
                break
        return one_line(shown)
