"""In what order the sources stand in the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tamis.compress.values import CompressItem, Order


def arranged(kept: Iterable[int], items: Sequence[CompressItem], order: Order) -> list[list[int]]:
    """The indexes of the kept items, in groups that are cited as one source.

    ``rank``: as given, best first. ``document``: the items of one path together and in their order in the document, the
    documents by their best item. ``lost_in_the_middle``: the best at both ends and the weakest in the middle, where
    models read least carefully (Liu et al. 2023, "Lost in the Middle").
    """
    indexes = sorted(kept)
    if order == "rank":
        return [[index] for index in indexes]
    if order == "lost_in_the_middle":
        return [[index] for index in indexes[::2] + indexes[1::2][::-1]]
    documents: dict[object, list[int]] = {}
    for index in indexes:
        documents.setdefault(items[index].path or index, []).append(index)
    return [sorted(group, key=lambda index: items[index].start) for group in documents.values()]
