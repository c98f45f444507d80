"""Fixtures of the tests of the lexical index."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tamis.lexical import TantivyIndex

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the index is kept; not made yet."""
    return tmp_path / "lexical"


@pytest.fixture
def index(folder: Path) -> TantivyIndex:
    return TantivyIndex(folder)
