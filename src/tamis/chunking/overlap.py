"""Where a chunk begins when it repeats the end of the one before it."""

from __future__ import annotations

from heapq import merge
from typing import TYPE_CHECKING

from tamis.chunking.boundaries import blank_line_cuts, edge_cuts, line_cuts, sentence_cuts, space_cuts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tamis.chunking.blocks import Block
    from tamis.chunking.boundaries import Cut

_LOOK_BACK = 8  # a sentence may end this far before the window in which the next one starts


def overlap_start(text: str, blocks: Sequence[Block], last: int, anchor: int, low: int, end: int) -> int:
    """Where in ``[low, end)`` the longest repetition starts that is made of whole sentences or lines, else of words.

    ``end`` lies in, or at the end of, ``blocks[last]``; headings and code that is kept whole are not repeated.
    ``anchor`` is where the chunk before begins. Returns ``end`` when nothing can be repeated.
    """
    for number in range(last, -1, -1):
        block = blocks[number]
        if block.end <= low:
            break
        if block.form == "whole" or block.type == "heading":
            low = block.end
            break
    if low < end:
        for cuts in _kinds(text, blocks[last], anchor, max(anchor, low - _LOOK_BACK), end):
            start = next((cut.start for cut in cuts if low <= cut.start < end), end)
            if start < end:
                return start
    return end


def _kinds(text: str, block: Block, anchor: int, low: int, end: int) -> Iterator[Iterator[Cut]]:
    if block.form in ("lines", "whole"):
        yield (cut for _, cut in line_cuts(text, low, end, items=False))
    elif block.form == "items":
        yield (cut for _, cut in line_cuts(text, low, end, items=True))
    yield merge(blank_line_cuts(text, low, end), sentence_cuts(text, low, end, anchor))
    yield space_cuts(text, low, end, anchor)
    yield edge_cuts(text, low, end, anchor, unspaced=True)
