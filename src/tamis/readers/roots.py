"""Where a path that somebody named leads, and whether tamis may go there."""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING

from tamis.errors import RootError, SymlinkError, UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def resolve(path: str, allowed_roots: Sequence[str]) -> str:
    """The absolute path, free of symbolic links, that ``path`` names; nothing needs to be there.

    Links above the allowed root are followed: ``/tmp`` or the home folder may be one. From the allowed root downwards
    none is, and never the last segment.

    Args:
        path: Absolute or relative to the working directory; ``~`` is not expanded.
        allowed_roots: Resolved absolute paths.

    Raises:
        SymlinkError: It leads through a link below an allowed root, or is one.
        RootError: It is outside every allowed root.
        UnreadableError: Its name cannot be written as UTF-8, or holds a NUL character.
    """
    if not is_utf8(path) or "\0" in path:
        raise UnreadableError(
            f"{printable(path)} is not a name that can be stored: not UTF-8, or with a NUL in it"
        )
    absolute = os.path.abspath(path)
    resolved = os.path.realpath(absolute)
    if _is_link(absolute) or _linked_below_root(absolute, resolved, allowed_roots):
        raise SymlinkError(
            f"{path} is a symbolic link, or leads through one",
            hint=f"name its target instead: {printable(resolved)}",
        )
    if not _allowed(resolved, allowed_roots):
        raise RootError(
            f"{path} is outside the folders that tamis may read",
            hint="add its folder to TAMIS_ALLOWED_ROOTS or to allowed_roots in the configuration",
        )
    if not is_utf8(resolved):
        raise UnreadableError(f"{path} lies in a folder whose name is not UTF-8", hint="rename the folder")
    return resolved


def is_utf8(path: str) -> bool:
    """Whether a path is free of surrogates, which stand for bytes that are not UTF-8."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def printable(path: str) -> str:
    r"""The path as text that can be stored; a byte that is not UTF-8 shows as ``\xff``."""
    try:
        return os.fsencode(path).decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        return path.encode("utf-8", "backslashreplace").decode()


def is_within(path: str, root: str) -> bool:
    """Whether ``path`` is ``root`` or below it; both absolute and normal."""
    return path == root or path.startswith(root if root.endswith("/") else root + "/")


def _allowed(path: str, roots: Sequence[str]) -> bool:
    return any(is_within(path, root) for root in roots)


def _is_link(absolute: str) -> bool:
    """Also when links on the way go round in a circle."""
    try:
        return stat.S_ISLNK(os.lstat(absolute).st_mode)
    except OSError as error:
        return error.errno == errno.ELOOP


def _linked_below_root(absolute: str, resolved: str, roots: Sequence[str]) -> bool:
    if absolute == resolved:
        return False
    for prefix in _prefixes(absolute):
        real = os.path.realpath(prefix)
        if _allowed(real, roots):
            return os.path.join(real, absolute[len(prefix) :].lstrip("/")) != resolved
    return False


def _prefixes(absolute: str) -> Iterator[str]:
    """``/``, ``/a``, ``/a/b`` … without the last, which is ``absolute`` itself."""
    at = 0
    while (at := absolute.find("/", at)) >= 0:
        yield absolute[: max(at, 1)]
        at += 1
