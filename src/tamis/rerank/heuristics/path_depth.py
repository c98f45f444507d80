"""How deep a path lies."""

from __future__ import annotations

import re


def path_depth(path: str) -> int:
    """Number of segments, ``/`` and ``\\`` alike; empty ones don't count: ``/a/b.md`` is 2 deep."""
    return sum(1 for segment in re.split(r"[/\\]", path) if segment)
