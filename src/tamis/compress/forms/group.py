"""What every form writes: a source's kept text, and what to cite it by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tamis.compress.values import CompressItem
    from tamis.types import Lines


@dataclass(frozen=True, slots=True)
class Group:
    """The kept text of one source.

    ``number`` is what ``[1]`` cites: the place of its item in what was given, from 1. ``shown_path`` stands for its
    path where a reader is to recognize it; empty for the path itself.
    """

    number: int
    item: CompressItem
    lines: Lines
    body: str
    shown_path: str = ""

    @property
    def has_label(self) -> bool:
        """Whether there is anything to cite it by."""
        return bool(self.item.path or self.item.title or self.item.id)

    @property
    def label(self) -> str:
        """Path and lines, else title, else id, and the headings above; on one line."""
        item = self.item
        if item.path:
            name = f"{self.shown_path or item.path}:{self.lines.first}-{self.lines.last}"
        else:
            name = item.title or item.id or ""
        return one_line(" › ".join((name, *item.heading_path)))


def one_line(text: str) -> str:
    return " ".join(text.split())
