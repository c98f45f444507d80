"""The bytes of a file, and of no other than the one that was asked for."""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tamis.errors import (
    ChangedError,
    NotRegularError,
    SourceError,
    SymlinkError,
    TooLargeError,
    UnreadableError,
)
from tamis.types import FileStat

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

MAX_BYTES = 50_000_000
"""Size of the largest file that is read unless the configuration says otherwise."""

_BLOCK = 1 << 20
_ATTEMPTS = 2
# Where the system has O_PATH, a folder need only be passable, not readable.
_FOLDER: int = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# O_NONBLOCK: should a pipe take the file's place after the check, opening it does not hang.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_SPECIAL = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def read_bytes(
    path: str,
    *,
    max_bytes: int,
    refuse: Callable[[bytes], None] | None = None,
    read_block: Callable[[int, int], bytes] = os.read,
) -> tuple[bytes, FileStat]:
    """A regular file's bytes, and its stat at the moment that they were its content.

    No symbolic link is followed, on the way neither: each segment is opened from the folder before it, so that none
    can be swapped for a link after a check. A file that is written to in the meantime is read once more.

    Args:
        path: Absolute, without links.
        max_bytes: A larger file is refused.
        refuse: Sees the first block, and raises to stop there.
        read_block: The system call, for tests that change the file in the middle of it.

    Raises:
        SourceError: It is not there.
        SymlinkError: A segment of the path is a symbolic link.
        NotRegularError: It is a pipe, a device or the like.
        UnreadableError: The system does not let it be read.
        TooLargeError: It is larger than ``max_bytes``.
        ChangedError: It was written to during both readings.
    """
    for _ in range(_ATTEMPTS):
        with _system_errors(), _opened(path) as file:
            before = os.fstat(file)
            if before.st_size > max_bytes:
                raise TooLargeError(too_large(before.st_size, max_bytes))
            data = _read(file, before.st_size, refuse, read_block)
            if len(data) == before.st_size and _state(os.fstat(file)) == _state(before):
                return data, FileStat(before.st_size, before.st_mtime_ns)
    raise ChangedError("it was written to while it was read", hint="try again when its writer is done")


def too_large(size: int, max_bytes: int) -> str:
    """The reason for leaving a large file out."""
    return f"it has {size:,} bytes; the limit is {max_bytes:,}"


def special(mode: int) -> str:
    """The reason for leaving something out that is not a regular file."""
    kind = next((name for test, name in _SPECIAL if test(mode)), "something")
    return f"it is {kind}, not a regular file"


def unreadable(error: OSError) -> str:
    """The reason for leaving out what the system does not let be read."""
    return f"it cannot be read: {error.strerror or error}"


def _read(
    file: int, size: int, refuse: Callable[[bytes], None] | None, read_block: Callable[[int, int], bytes]
) -> bytes:
    """At most one byte more than ``size``, which is enough to see that it has grown."""
    blocks: list[bytes] = []
    left = size + 1
    while left and (block := read_block(file, min(left, _BLOCK))):
        if refuse and not blocks:
            refuse(block)
        blocks.append(block)
        left -= len(block)
    return b"".join(blocks)


def _state(found: os.stat_result) -> tuple[int, int, int]:
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns


@contextmanager
def _system_errors() -> Generator[None]:
    try:
        yield
    except (FileNotFoundError, NotADirectoryError) as error:
        raise SourceError("it is not there any more") from error
    except OSError as error:
        raise UnreadableError(unreadable(error)) from error


@contextmanager
def _opened(path: str) -> Generator[int]:
    *folders, name = path.strip("/").split("/")
    at = os.open("/", _FOLDER)
    try:
        for folder in folders:
            below = _open_folder(folder, at)
            os.close(at)
            at = below
        _require_regular(os.stat(name, dir_fd=at, follow_symlinks=False))
        file = os.open(name, _FILE, dir_fd=at)
    finally:
        os.close(at)
    try:
        _require_regular(os.fstat(file))
        yield file
    finally:
        os.close(file)


def _open_folder(name: str, at: int) -> int:
    try:
        return os.open(name, _FOLDER, dir_fd=at)
    except OSError:
        # A link shows as ENOTDIR or as ELOOP, depending on the system.
        if stat.S_ISLNK(os.stat(name, dir_fd=at, follow_symlinks=False).st_mode):
            raise SymlinkError("a folder on its path is a symbolic link") from None
        raise


def _require_regular(found: os.stat_result) -> None:
    if stat.S_ISLNK(found.st_mode):
        raise SymlinkError("it is a symbolic link")
    if not stat.S_ISREG(found.st_mode):
        raise NotRegularError(special(found.st_mode))
