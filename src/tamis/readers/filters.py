"""The caller's globs: which of a folder's entries to include and to exclude."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.errors import InputError
from tamis.readers.globs import compile_glob

if TYPE_CHECKING:
    from collections.abc import Sequence


class GlobFilter:
    """What to include and to exclude, in the language of ``tamis.readers.globs``.

    A pattern speaks of the path below the named folder, or of the absolute path when it starts with ``/``. One without
    a separator matches at any depth, and one that ends in a separator means all that lies in such a folder. What is
    excluded is left out, whatever includes it, and an excluded folder is not entered.

    Raises:
        InputError: A pattern is blank.
    """

    def __init__(self, include: Sequence[str], exclude: Sequence[str]) -> None:
        excluded = [_spelled_out(pattern) for pattern in exclude]
        self._include = [_Glob(_spelled_out(pattern)) for pattern in include]
        self._exclude = [_Glob(pattern) for pattern in excluded]
        self._exclude_folders = [_Glob(pattern[:-3]) for pattern in excluded if pattern.endswith("/**")]

    def excludes(self, path: str, relative: str, *, folder: bool) -> bool:
        """Whether to leave out an entry; ``relative`` is its path below the named folder."""
        if not self._exclude:
            return False
        globs = self._exclude + self._exclude_folders if folder else self._exclude
        return any(glob.matches(path, relative) for glob in globs)

    def includes(self, path: str, relative: str) -> bool:
        """Whether to take a file, unless it is excluded."""
        return not self._include or any(glob.matches(path, relative) for glob in self._include)


class _Glob:
    def __init__(self, pattern: str) -> None:
        self._absolute = pattern.startswith("/")
        self._matches = compile_glob(pattern)

    def matches(self, path: str, relative: str) -> bool:
        return self._matches(path if self._absolute else relative)


def _spelled_out(pattern: str) -> str:
    path = pattern.replace("\\", "/")
    name = path.rstrip("/")
    if not name.strip():
        raise InputError("a glob to include or exclude is blank", hint="write *.md or docs/**")
    anywhere = name if "/" in name else f"**/{name}"
    return f"{anywhere}/**" if path.endswith("/") else anywhere
