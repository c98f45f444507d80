"""Models in folders: which drivers read them, and that a corpus finds its own again from anywhere."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

import tamis
from tamis import embedders
from tamis.embedders.bundled import folder as bundled_folder
from tamis.testing import check_embedder

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("key", ["onnx", "fastembed", "sentence_transformers"])
def test_a_folder_is_kept_by_its_whole_path(key: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.parent)
    assert embedders.lasting(f"{key}:model") == f"{key}:{folder}"
    assert embedders.lasting(f"{key}:org/name") == f"{key}:org/name"


@pytest.mark.parametrize("name", ["bundled", "ollama:model", "openai:model", "onnx:", "nothing:model"])
def test_what_is_no_folder_to_a_driver_stays(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    assert embedders.lasting(name) == name


def test_a_corpus_finds_its_model_from_another_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("w1 w2 w3\n", encoding="utf-8")
    monkeypatch.chdir(folder.parent)
    tamis.open(tmp_path / "home").index("notes", [notes], embedder="onnx:model")
    monkeypatch.chdir("/")
    corpus = tamis.open(tmp_path / "home").corpus("notes")
    assert corpus.search("w2", mode="semantic").hits
    monkeypatch.chdir(folder.parent)
    corpus.reembed("onnx:./model")
    monkeypatch.chdir("/")
    assert tamis.open(tmp_path / "home").corpus("notes").search("w2", mode="semantic").hits


@pytest.mark.slow
def test_fastembed_reads_a_folder_as_the_onnx_driver_does(tmp_path: Path) -> None:
    """The library itself, with the bundled model: another tokenizer call, session and pooling, the same vectors."""
    pytest.importorskip("fastembed")
    model = tmp_path / "model"
    model.mkdir()
    for file in bundled_folder().iterdir():
        (model / file.name).symlink_to(file)
    (model / "tamis.json").write_text(
        json.dumps({"pooling": "cls", "query_prefix": "query: "}), encoding="utf-8"
    )
    theirs, ours = (
        embedders.get(f"{key}:{model}", cache=tmp_path / "cache") for key in ("fastembed", "onnx")
    )
    check_embedder(theirs, tolerance=1e-6)
    texts = ["How do we rotate keys?", "Ein Satz über Schlüssel.", "x"]
    assert np.allclose(theirs.embed_passages(texts).vectors, ours.embed_passages(texts).vectors, atol=1e-5)
    assert np.allclose(theirs.embed_query(texts[0]), ours.embed_query(texts[0]), atol=1e-5)
    assert not np.allclose(
        theirs.embed_query(texts[0]), theirs.embed_passages(texts[:1]).vectors[0], atol=1e-3
    )
