"""Text of a document, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.render.printable import printable

if TYPE_CHECKING:
    from tamis.types import Passage


def passage_text(passage: Passage, *, verbatim: bool) -> str:
    """The text without its final line end.

    Args:
        verbatim: As it is, for a file or a program; else without what could steer a terminal.
    """
    return (passage.text if verbatim else printable(passage.text)).removesuffix("\n")
