"""Hits that show the same passage become one, and the order stays."""

from __future__ import annotations

from tamis.search.collapse import collapse
from tamis.types import Hit, Lines


def hit(rank: int, path: str, start: int, end: int) -> Hit:
    return Hit(
        f"c:{rank}",
        "c",
        path,
        1 / rank,
        rank,
        start,
        end,
        Lines(1, 1),
        (),
        "paragraph",
        "t",
        "x",
        f"h{path}",
        rank,
    )


def test_a_hit_mostly_shown_by_a_better_one_goes_and_neighbours_stay() -> None:
    best, neighbour, inside, other = (
        hit(1, "a", 0, 800),
        hit(2, "a", 700, 1500),
        hit(3, "a", 100, 700),
        hit(4, "b", 0, 800),
    )
    kept = collapse([best, neighbour, inside, other])
    assert [(item.id, item.rank) for item in kept] == [("c:1", 1), ("c:2", 2), ("c:4", 3)]
