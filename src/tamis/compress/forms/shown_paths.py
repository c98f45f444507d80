"""Paths as a list of sources shows them: a long one by its last parts, as many as tell it from the others."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# A longer path is shortened: its folders are paid for in every source.
MAX_SHOWN_CHARS = 40
ELLIPSIS = "…"


def shown_paths(paths: Iterable[str | None]) -> dict[str, str]:
    """What to show for each path: itself, or ``…/folder/file`` where that is shorter and no other path ends so."""
    distinct = [path for path in dict.fromkeys(paths) if path]
    tails = Counter(tail for path in distinct for tail in _tails(path))
    return {
        path: path
        if len(path) <= MAX_SHOWN_CHARS
        else next((f"{ELLIPSIS}/{tail}" for tail in _tails(path) if "/" in tail and tails[tail] == 1), path)
        for path in distinct
    }


def _tails(path: str) -> list[str]:
    """The last part of a path, the last two, …, without the whole."""
    parts = path.split("/")
    return ["/".join(parts[-count:]) for count in range(1, len(parts))]
