"""One hit where several show the same passage."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tamis.types import Hit


def collapse(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """The hits in their order, without those of which more than half was shown by a better one from the same file.

    Neighbours that share no more than their overlap stay: each shows what the other does not. Equal passages of different
    files stay as well: which file says it may be what is asked.
    """
    kept: list[Hit] = []
    by_path: dict[str, list[Hit]] = {}
    for hit in hits:
        same = by_path.setdefault(hit.path, [])
        if not any(_mostly_shown(hit, other) for other in same):
            same.append(hit)
            rank = len(kept) + 1
            kept.append(hit if hit.rank == rank else replace(hit, rank=rank))
    return tuple(kept)


def _mostly_shown(hit: Hit, by: Hit) -> bool:
    if hit.content_hash != by.content_hash:
        return False
    shared = min(hit.char_end, by.char_end) - max(hit.char_start, by.char_start)
    return shared * 2 > hit.char_end - hit.char_start
