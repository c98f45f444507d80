"""A BEIR-style test collection in memory."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tamis.evaluate import Gold, read_gold

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Entry:
    id: str
    title: str
    text: str

    @property
    def whole(self) -> str:
        """Title and text, as every system is given them."""
        return f"{self.title}\n{self.text}" if self.title else self.text


@dataclass(frozen=True, slots=True)
class Collection:
    name: str
    entries: tuple[Entry, ...]
    gold: Gold


def collections(folder: Path, names: list[str]) -> Iterator[Collection]:
    """The sets in ``folder`` (or ``folder`` itself when it is one), those of ``names`` when there are any."""
    found = [folder] if (folder / "corpus.jsonl").is_file() else sorted(folder.iterdir())
    for place in found:
        if (place / "corpus.jsonl").is_file() and (not names or place.name in names):
            yield Collection(place.name, tuple(_entries(place / "corpus.jsonl")), read_gold(place))


def _entries(path: Path) -> Iterator[Entry]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            yield Entry(str(record["_id"]), record.get("title") or "", record["text"])
