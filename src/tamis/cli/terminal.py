"""Writing to the two streams, whatever they are: a terminal, a pipe, closed, or in an encoding that lacks a sign."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

from tamis.render import Style

if TYPE_CHECKING:
    from collections.abc import Mapping

NARROWEST, WIDEST = 40, 120
# The signs that our own text is made of, for streams that cannot take them.
PLAIN_SIGNS = str.maketrans(
    {"›": ">", "…": "...", "·": "-", "│": "|", "→": "->", "✓": "+", "✗": "x", "×": "x", "\u00a0": " "}
)


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person looks at the stream."""
    return stream is not None and not stream.closed and stream.isatty()


def style_for(
    stream: TextIO | None, colour: bool | None, environment: Mapping[str, str] = os.environ
) -> Style:
    """How to lay out text for the stream.

    Args:
        colour: What the user asked for; ``None`` leaves it to the stream, to ``NO_COLOR`` and to ``TERM``.
    """
    if colour is None:
        plain = environment.get("NO_COLOR") or environment.get("TERM") == "dumb"
        colour = is_terminal(stream) and not plain
    return Style(
        colour=colour, width=_width(stream, environment), cwd=_cwd(), home=environment.get("HOME", "")
    )


def write(stream: TextIO | None, text: str) -> None:
    """Write text and a newline in the stream's encoding; what that lacks is replaced or spelled out."""
    if stream is None:
        return
    line = text + "\n"
    encoding = stream.encoding or "utf-8"
    try:
        encoded = line.encode(encoding)
    except UnicodeEncodeError:
        encoded = line.translate(PLAIN_SIGNS).encode(encoding, "backslashreplace")
    write_bytes(stream, encoded)


def write_bytes(stream: TextIO | None, data: bytes) -> None:
    """Write bytes as they are."""
    if stream is not None:
        stream.flush()
        stream.buffer.write(data)
        stream.flush()


def silence(stream: TextIO | None) -> None:
    """Send what is left in the stream, and all that follows, nowhere: its reader has gone."""
    if stream is not None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def flush() -> None:
    """Bring out what is still in the streams' buffers."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # pyright: ignore[reportUnnecessaryComparison]  # closed by the caller
            stream.flush()


def _width(stream: TextIO | None, environment: Mapping[str, str]) -> int:
    columns = environment.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        width = int(columns)
    else:
        try:
            width = os.get_terminal_size(stream.fileno()).columns if stream is not None else 0
        except (OSError, ValueError):
            width = 0
    return min(WIDEST, max(NARROWEST, width)) if width else 80


def _cwd() -> str:
    try:
        return os.getcwd()
    except OSError:
        return ""
