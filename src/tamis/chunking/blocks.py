"""What the scanners say of a document: its blocks, in reading order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from tamis.types import ChunkType

Form = Literal["prose", "items", "lines", "whole"]
"""How a block may be cut: ``prose`` at blank lines and sentences; ``items`` at list items as well; ``lines`` at any
line, the less indented the better; ``whole`` not at all while it is within the limit, else as ``lines``."""

MAX_TITLE_CHARS = 200  # titles are repeated with every chunk beneath them, so they have to stay short


class Block(NamedTuple):
    """A run of whole lines; its end leaves trailing whitespace out.

    ``level`` above 0 opens a section of that depth (1 is the outermost) called ``title``; an empty title closes the
    sections of that depth and below and opens a nameless one.
    """

    start: int
    end: int
    type: ChunkType
    form: Form = "prose"
    level: int = 0
    title: str = ""


def trimmed(text: str, start: int, end: int) -> int:
    """The end of ``text[start:end]`` without its trailing whitespace."""
    # A copy of a long range, to save a few characters at its end, would make cutting it quadratic.
    while end - start > 256:
        near = len(text[end - 256 : end].rstrip())
        if near:
            return end - 256 + near
        end -= 256
    return start + len(text[start:end].rstrip())
