"""A corpus's truth in a folder of the test's own, and how to fill it by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tamis.storage import CorpusLock, Truth
from tamis.types import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def truth(tmp_path: Path) -> Iterator[Truth]:
    made = Truth(tmp_path / "corpus.db")
    made.create("notes", Settings(paths=("/notes",)))
    yield made
    made.close()


@pytest.fixture
def late_imports(tmp_path: Path) -> None:
    """What the first write and the first lock bring in."""
    made = Truth(tmp_path / "corpus.db")
    made.create("first", Settings(paths=("/first",)))
    made.close()
    with CorpusLock(tmp_path, "write").hold(0):
        pass
