"""Line numbers of offsets, and offsets of lines."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right

from tamis.errors import InputError
from tamis.types import Lines, Span

# A line ends at LF, CRLF or CR and nowhere else, as in CommonMark; str.splitlines also ends one at \v, \f, U+2028 …
LINE_END = re.compile(r"\r\n?|\n")
_MAX_UNSIGNED = 1 << 32


class LineIndex:
    """The lines of one text. A line end at the very end of the text starts no further line; no text, no lines."""

    def __init__(self, text: str) -> None:
        self._length = len(text)
        self._text = text
        # Four bytes a line, where a list of numbers takes 36: 50 MB may be 50 million lines.
        starts = array("I" if len(text) < _MAX_UNSIGNED else "Q", (0,))
        starts.extend(match.end() for match in LINE_END.finditer(text))
        if starts[-1] == len(text):
            starts.pop()
        self.starts = starts

    def __len__(self) -> int:
        """Number of lines."""
        return len(self.starts)

    def line_of(self, offset: int) -> int:
        """The line, from 1, that holds the character at ``offset``; an offset at the end is on the last line."""
        return bisect_right(self.starts, offset)

    def lines_of(self, start: int, end: int) -> Lines:
        """First and last line of ``text[start:end]``; an empty range is on the line of ``start``."""
        return Lines(self.line_of(start), self.line_of(max(start, end - 1)))

    def start_of(self, number: int) -> int:
        """Offset of line ``number`` (from 0); the text's length when there are not that many."""
        return self.starts[number] if number < len(self.starts) else self._length

    def span_of(self, first: int, last: int) -> Span:
        """The range of lines ``first`` to ``last`` (from 1, both included), without the last one's line end.

        ``last`` may lie beyond the text: the range then runs to the text's last line.

        Raises:
            InputError: ``first`` is not a line of the text, or ``last`` comes before it.
        """
        if not 1 <= first <= len(self):
            raise InputError(
                f"there is no line {first}", hint=f"the text has {len(self)} lines, counted from 1"
            )
        if last < first:
            raise InputError(
                f"line {last} comes before line {first}", hint="give the first line, then the last"
            )
        start = self.starts[first - 1]
        end = self.start_of(last)
        if end > start and self._text[end - 1] == "\n":
            end -= 1
        if end > start and self._text[end - 1] == "\r":
            end -= 1
        return Span(start, end)
