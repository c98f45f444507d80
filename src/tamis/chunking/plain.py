"""Blocks of plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.chunking.blocks import Block, trimmed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tamis.chunking.lines import LineIndex


def plain_blocks(text: str, _index: LineIndex) -> Iterator[Block]:
    """One block of prose: the splitter finds the paragraphs in it."""
    end = trimmed(text, 0, len(text))
    if end:
        yield Block(0, end, "paragraph")
