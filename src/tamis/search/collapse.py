"""One hit where several show the same passage."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    from tamis.types import ChunkRow, Hit

Item = TypeVar("Item")


class Passage(NamedTuple):
    """A part of one state of a file, in characters."""

    path: str
    content_hash: str
    start: int
    end: int


def distinct(items: Iterable[Item], passage: Callable[[Item], Passage]) -> Generator[Item]:
    """The items in their order, without those of which more than half was shown by a better one from the same file.

    Neighbours that share no more than their overlap stay: each shows what the other does not. Equal passages of different
    files stay as well: which file says it may be what is asked.
    """
    shown: dict[str, list[Passage]] = {}
    for item in items:
        own = passage(item)
        same = shown.setdefault(own.path, [])
        if not any(_mostly_shown(own, other) for other in same):
            same.append(own)
            yield item


def collapse(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """The ``distinct`` hits, ranked from 1."""
    kept = distinct(hits, _of_hit)
    return tuple(hit if hit.rank == rank else replace(hit, rank=rank) for rank, hit in enumerate(kept, 1))


def of_scored(scored: tuple[ChunkRow, float]) -> Passage:
    """The passage of a chunk with its score."""
    chunk, _ = scored
    return Passage(chunk.file.path, chunk.file.content_hash, chunk.start, chunk.end)


def _of_hit(hit: Hit) -> Passage:
    return Passage(hit.path, hit.content_hash, hit.char_start, hit.char_end)


def _mostly_shown(passage: Passage, by: Passage) -> bool:
    if passage.content_hash != by.content_hash:
        return False
    shared = min(passage.end, by.end) - max(passage.start, by.start)
    return shared * 2 > passage.end - passage.start
