"""Many small sections in a row become fewer, larger passages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.chunking.outline import common_path
from tamis.chunking.splitting import Passage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tamis.types import ChunkType


def pack(passages: Iterable[Passage], chars: int, small: int, least: int) -> Iterator[Passage]:
    """``passages`` with runs of small sections packed into passages of up to ``chars`` characters.

    A run is at least ``least`` entire sections in a row, none longer than ``small`` characters.

    A packed passage has the path that its parts have in common. A handful of small sections stay apart, so that each
    is found, and cited, under its own heading.
    """
    run: list[Passage] = []  # of small sections, but for what was packed already
    packing = False  # whether it is long enough
    for passage in passages:
        if passage.entire and passage.type != "frontmatter" and passage.end - passage.start <= small:
            run.append(passage)
            packing = packing or len(run) >= least
            if packing and passage.end - run[0].start > chars:
                yield from _packed(run, chars, to_end=False)
            continue
        yield from _packed(run, chars) if packing else run
        run, packing = [], False
        yield passage
    yield from _packed(run, chars) if packing else run


def _packed(run: list[Passage], chars: int, *, to_end: bool = True) -> Iterator[Passage]:
    """Takes packed passages off a run: all of it, or those that what follows cannot change."""
    while run:
        start = run[0].start
        after = 1
        while after < len(run) and run[after].end - start <= chars:
            after += 1
        if after < len(run):
            # Full, or half full where a section of a higher level begins: that is the better place to stop.
            full = [number for number in range(1, after + 1) if run[number - 1].end - start >= chars // 2]
            after = min(full or [after], key=lambda number: (run[number].level, -number))
        elif not to_end:
            return
        yield _joined(run[:after])
        del run[:after]


def _joined(parts: Sequence[Passage]) -> Passage:
    if len(parts) == 1:
        return parts[0]
    shares: dict[ChunkType, int] = {}
    for part in parts:
        share = 0 if part.type == "heading" else part.end - part.start
        shares[part.type] = shares.get(part.type, 0) + share
    path = common_path(part.path for part in parts)
    kind = max(shares, key=shares.__getitem__)
    return Passage(parts[0].start, parts[-1].end, kind, path, parts[0].level, entire=True)
