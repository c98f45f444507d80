"""When files were modified, asked once for each path and only under the allowed roots."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Stat: TypeAlias = "Callable[[str], float | None]"


def modified_ms(path: str) -> float | None:
    """Modification time in milliseconds since the epoch; ``None`` when there is no such file."""
    try:
        return os.stat(path).st_mtime_ns / 1e6
    except (OSError, ValueError):
        return None


def modified_of(
    paths: Iterable[str], *, stat: Stat = modified_ms, roots: Sequence[str] | None = None
) -> tuple[dict[str, float], list[str]]:
    """Modification time of each path in milliseconds, 0 for one that is missing, and the paths that lie outside.

    Each distinct path is asked for once. A path outside the ``roots``, or led out of them by a symbolic link, counts as
    missing and its file is not touched; ``None`` allows every path.
    """
    allowed = None if roots is None else _Roots(roots)
    times: dict[str, float] = {}
    outside: list[str] = []
    for path in paths:
        if path in times:
            continue
        times[path] = 0.0
        if allowed is not None and path not in allowed:
            outside.append(path)
        else:
            times[path] = stat(path) or 0.0
    return times, outside


class _Roots:
    def __init__(self, roots: Sequence[str]) -> None:
        self._written = [os.path.abspath(os.path.expanduser(root)) for root in roots]
        self._resolved = [os.path.realpath(root) for root in self._written]

    def __contains__(self, path: str) -> bool:
        try:
            written = os.path.abspath(path)
            # As written first, so that the disk is never asked about a path that is plainly elsewhere.
            return _under(written, self._written + self._resolved) and _under(
                os.path.realpath(written), self._resolved
            )
        except (OSError, ValueError):
            return False


def _under(path: str, roots: Sequence[str]) -> bool:
    return any(path == root or path.startswith(root.rstrip(os.sep) + os.sep) for root in roots)
