"""Whether anything can be read of what somebody names, before anything is changed for it."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from tamis.errors import NotRegularError, SourceError, TooLargeError, UnreadableError
from tamis.readers.filters import GlobFilter
from tamis.readers.opening import MAX_BYTES, special, too_large, unreadable
from tamis.readers.reading import read
from tamis.readers.roots import printable, resolve
from tamis.types import FileStat, Source

if TYPE_CHECKING:
    from collections.abc import Sequence


def check_globs(include: Sequence[str], exclude: Sequence[str]) -> None:
    """Refuse what a walk would refuse.

    Raises:
        InputError: A glob is blank.
    """
    GlobFilter(include, exclude)


def require_any(paths: Sequence[str], *, allowed_roots: Sequence[str], max_bytes: int = MAX_BYTES) -> None:
    """See that at least one path is a folder that can be listed or a file that can be read; the rest is not looked at.

    Args:
        paths: As for ``walk``, with the same ``allowed_roots`` and ``max_bytes``.

    Raises:
        SourceError: What is wrong with the first of them, as all of them have something wrong.
    """
    first: SourceError | None = None
    for path in paths:
        try:
            _require(path, allowed_roots, max_bytes)
        except SourceError as error:
            first = first or _naming(path, error)
        else:
            return
    if first is not None:
        raise first


def _require(path: str, allowed_roots: Sequence[str], max_bytes: int) -> None:
    resolved = resolve(path, allowed_roots)
    try:
        found = os.lstat(resolved)
        if stat.S_ISDIR(found.st_mode):
            os.scandir(resolved).close()
            return
    except (FileNotFoundError, NotADirectoryError) as error:
        raise SourceError("no such file or folder", hint="check the path") from error
    except OSError as error:
        raise UnreadableError(unreadable(error), hint="see that you may read it") from error
    if not stat.S_ISREG(found.st_mode):
        raise NotRegularError(special(found.st_mode), hint="name a file or a folder")
    if found.st_size > max_bytes:
        raise TooLargeError(
            too_large(found.st_size, max_bytes), hint="raise max_file_mb in the configuration to read it"
        )
    read(Source(resolved, FileStat(found.st_size, found.st_mtime_ns)), max_bytes=max_bytes)


def _naming(path: str, error: SourceError) -> SourceError:
    """The error with its path: the reasons of failed paths stand beside theirs and do without."""
    shown = printable(path)
    if shown in error.message:
        return error
    named = type(error)(f"{shown}: {error.message}", hint=error.hint, retryable=error.retryable)
    named.__cause__ = error
    return named
