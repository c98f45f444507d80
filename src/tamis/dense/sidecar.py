"""The small file beside the index that says which stamps to look for in it."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tamis.types import Stamp

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Saved:
    """A stamp and the number of vectors that the index holds at it."""

    stamp: Stamp
    count: int


@dataclass(frozen=True, slots=True)
class Sidecar:
    """Written before the index is, so it names both what the index will reflect and what it reflects until then."""

    dimensions: int
    stamps: tuple[Saved, ...]


def read(path: Path) -> Sidecar | None:
    """The sidecar at ``path``; ``None`` when it is not there, not whole, or of another format."""
    try:
        content: Any = json.loads(path.read_bytes())
        if content["format"] != FORMAT:
            return None
        stamps = tuple(_saved(entry) for entry in content["stamps"])
        return Sidecar(int(content["dimensions"]), stamps)
    except (OSError, ValueError, TypeError, LookupError, OverflowError, RecursionError):
        return None


def write(path: Path, sidecar: Sidecar) -> None:
    """Replace the sidecar at once, durably.

    Raises:
        OSError: As the disk has it.
    """
    stamps = [
        {"corpus_id": s.stamp.corpus_id, "generation": s.stamp.generation, "count": s.count}
        for s in sidecar.stamps
    ]
    content = {"format": FORMAT, "dimensions": sidecar.dimensions, "stamps": stamps}
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    with temporary.open("w", encoding="utf-8") as file:
        json.dump(content, file)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    _sync_folder(path.parent)


def _saved(entry: Any) -> Saved:
    return Saved(Stamp(str(entry["corpus_id"]), int(entry["generation"])), int(entry["count"]))


def _sync_folder(folder: Path) -> None:
    # A rename is durable once its folder is; Windows cannot open folders and needs no such thing.
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
