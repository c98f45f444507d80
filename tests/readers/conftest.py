"""Fixtures of the reader tests."""

from __future__ import annotations

import codecs
import contextlib
import os
import shutil
import tempfile
from encodings.aliases import aliases
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tamis.readers.decoding import decode

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """An empty folder in which file modes count: when root runs the tests they run as another user."""
    _load_what_reading_imports_late()
    nobody = 65534
    folder = Path(tempfile.mkdtemp(prefix="tamis-"))
    root = os.geteuid() == 0
    try:
        if root:
            os.chown(folder, nobody, nobody)
            os.seteuid(nobody)
        yield folder
    except PermissionError as error:
        pytest.skip(f"cannot give up root's rights: {error}")
    finally:
        if root:
            os.seteuid(0)
        shutil.rmtree(folder)


def _load_what_reading_imports_late() -> None:
    """Where only root may read the interpreter's own folder, another user can import nothing more."""
    for name in set(aliases.values()):
        with contextlib.suppress(LookupError):
            codecs.lookup(name)
    decode("Größe und Übermaß: façade, naïveté.\n".encode("latin-1"))
