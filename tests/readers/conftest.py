"""Fixtures of the reader tests."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """An empty folder in which file modes count: when root runs the tests they run as another user."""
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
