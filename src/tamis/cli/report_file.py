"""The file that a report is written to: whole or not at all, and never in place of what is no report."""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from tamis.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Generator

MARK: Final = b'<meta name="generator" content="tamis eval">'
"""What makes an HTML file a report of ours."""
HEAD: Final = 1000
"""Bytes at a file's start among which the mark is."""


def check_report(path: str) -> None:
    """Refuse, before a run that may be long, a path that its report could not or must not be written to.

    Raises:
        InputError: It is a folder or in none, a file that is no report, or nothing can be written there.
    """
    with _told(path):
        _check_place(path)
        # Only trying tells: permissions and file systems each say no in a way of their own.
        with _beside(path, b""):
            pass


def write_report(path: str, page: str) -> None:
    """Write the report beside its place, then put it there in one step; an earlier report gives way.

    Raises:
        InputError: As ``check_report``.
    """
    with _told(path):
        _check_place(path)
        with _beside(path, page.encode()) as written:
            os.replace(written, os.path.realpath(path))  # a link stays one


@contextmanager
def _told(path: str) -> Generator[None]:
    try:
        yield
    except OSError as error:
        hint = "name another file with --html"
        raise InputError(
            f"the report cannot be written to {path}: {error.strerror or error}", hint=hint
        ) from error


def _check_place(path: str) -> None:
    try:
        kind = os.stat(path)
    except FileNotFoundError:
        return
    if not stat.S_ISREG(kind.st_mode):
        what = "a folder" if stat.S_ISDIR(kind.st_mode) else "no file"
        raise InputError(f"{path} is {what}", hint="name a file with --html")
    with open(path, "r+b") as old:  # one that must not be changed is not replaced either
        if kind.st_size and MARK not in old.read(HEAD):
            raise InputError(
                f"{path} is there already and is no report of tamis eval",
                hint="name a new file with --html; an earlier report may be written over",
            )


@contextmanager
def _beside(path: str, content: bytes) -> Generator[str]:
    """A file of its own in the folder where the report goes; it is gone afterwards, by its new name or for good."""
    temporary = os.path.join(os.path.dirname(os.path.realpath(path)), f".tamis-{os.urandom(8).hex()}.tmp")
    try:
        with open(temporary, "xb") as file:
            file.write(content)
        yield temporary
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
