"""Folders made from a few lines."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tamis.readers import walk

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tamis.readers import Walk


def grow(folder: Path, *names: str, text: str = "x") -> Path:
    """Make files, and the folders on their way; a name that ends in ``/`` is a folder."""
    for name in names:
        path = folder / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return folder


def walked(folder: Path, *, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> list[str]:
    """The files found below a folder, relative to it, in the order in which they came."""
    return relative(
        walk([str(folder)], allowed_roots=[real(folder)], include=include, exclude=exclude), folder
    )


def relative(found: Walk, folder: Path) -> list[str]:
    return [os.path.relpath(source.path, real(folder)) for source in found]


def real(folder: Path) -> str:
    return os.path.realpath(folder)
