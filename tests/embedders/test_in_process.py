"""Embedders that run a library's model in this process, with libraries of the tests' own; and plug-ins."""

from __future__ import annotations

import importlib.metadata
import sys
import types
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tamis import embedders
from tamis.errors import BackendError, ConfigError, MissingExtraError
from tamis.testing import HashEmbedder, check_embedder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

DIMENSIONS = 64
MODEL = HashEmbedder(DIMENSIONS)


class SentenceTransformer:
    """As sentence-transformers 5 has it."""

    max_seq_length = 128

    def __init__(self, name: str) -> None:
        if name == "nowhere":
            raise OSError("nowhere is not a local folder and is not a valid model identifier")

    def encode_document(
        self, sentences: Sequence[str], *, batch_size: int = 32, show_progress_bar: bool = True
    ) -> np.ndarray:
        return 3 * np.stack([MODEL.embed_query(text) for text in sentences])

    def encode_query(self, sentences: str, *, show_progress_bar: bool = True) -> np.ndarray:
        return 3 * MODEL.embed_query(sentences)


class TextEmbedding:
    """As fastembed has it."""

    def __init__(self, model_name: str, cache_dir: str | None = None) -> None:
        if model_name == "nowhere":
            raise ValueError("Model nowhere is not supported in TextEmbedding")

    def passage_embed(self, texts: Sequence[str], *, batch_size: int = 256) -> Iterator[np.ndarray]:
        yield from (MODEL.embed_query(text) for text in texts)

    def query_embed(self, query: str) -> Iterator[np.ndarray]:
        yield MODEL.embed_query(query)


LIBRARIES = {"sentence_transformers": SentenceTransformer, "fastembed": TextEmbedding}


@pytest.fixture(params=LIBRARIES)
def installed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The key of a driver whose library is there."""
    module = types.ModuleType(request.param)
    setattr(module, LIBRARIES[request.param].__name__, LIBRARIES[request.param])
    monkeypatch.setitem(sys.modules, request.param, module)
    return request.param


def test_they_keep_the_laws_of_embedders(installed: str, cache: Path) -> None:
    embedder = embedders.get(f"{installed}:model", cache=cache)
    check_embedder(embedder, tolerance=1e-6)
    assert embedder.fingerprint.dimensions == DIMENSIONS


def test_a_model_that_cannot_be_loaded_is_named(installed: str, cache: Path) -> None:
    with pytest.raises((BackendError, ConfigError), match="nowhere"):
        embedders.get(f"{installed}:nowhere", cache=cache).embed_query("anything")


@pytest.mark.parametrize(
    ("name", "extra"),
    [
        ("sentence_transformers:m", "sentence-transformers"),
        ("fastembed:m", "fastembed"),
        ("ollama:m", "ollama"),
        ("openai:m", "openai"),
    ],
)
def test_a_library_that_is_missing_is_an_error_with_the_line_that_installs_it(
    name: str, extra: str, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, name.partition(":")[0], None)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    with pytest.raises(MissingExtraError) as caught:
        embedders.get(name, cache=cache).embed_query("anything")
    assert caught.value.hint == f"install it with: pip install 'tamis[{extra}]'"


def plug_in(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    point = importlib.metadata.EntryPoint("plugged", value, "tamis.embedders")
    points = importlib.metadata.EntryPoints([point])
    monkeypatch.setattr(importlib.metadata, "entry_points", points.select)
    monkeypatch.setattr(embedders.registry, "_factories", dict(embedders.registry._factories))


def open_plugged(model: str, config: embedders.EmbedderConfig) -> HashEmbedder:
    return HashEmbedder(model=model)


def test_a_plug_in_is_found_by_its_entry_point(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plug_in(monkeypatch, f"{__name__}:open_plugged")
    assert "plugged" in tuple(embedders.keys())
    assert embedders.get("plugged:mine", cache=cache).fingerprint.model == "mine"


def test_a_plug_in_that_does_not_load_is_named(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plug_in(monkeypatch, "no_such_module:factory")
    with pytest.raises(ConfigError, match="no_such_module"):
        embedders.get("plugged", cache=cache)
    with pytest.raises(ConfigError, match="there is no embedder 'plugd'"):
        embedders.get("plugd", cache=cache)
