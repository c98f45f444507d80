"""Fixtures of embedders' folders."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.embedders.tiny_models import write_model, write_tokenizer

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An embedder's folder with nothing but a model and a tokenizer."""
    folder = tmp_path / "model"
    write_model(folder / "model.onnx")
    write_tokenizer(folder / "tokenizer.json")
    return folder


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"
