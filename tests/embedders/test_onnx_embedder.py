"""Encoders worked out by hand: states are rows of a table, so vectors are known in advance."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from onnx import TensorProto
from tests.embedders.tiny_models import DIMENSIONS, IDS, table, write_model, write_tokenizer

from tamis import embedders
from tamis.embedders.description import OVERLAP
from tamis.embedders.tokens import MAX_WINDOWS
from tamis.errors import ConfigError, EmbedError
from tamis.testing import check_embedder

if TYPE_CHECKING:
    from pathlib import Path

    from tamis.ports import Embedder

TEXT = "w1 w2 w3"


def unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.linalg.norm(vector)


def states(text: str, *, special: bool = True) -> np.ndarray:
    words = text.split()
    return table()[[IDS[w] for w in (["[CLS]", *words, "[SEP]"] if special else words)]]


@pytest.fixture
def opened(folder: Path, cache: Path) -> Any:
    def open_with(**own: Any) -> Embedder:
        (folder / "tamis.json").write_text(json.dumps(own))
        return embedders.get(f"onnx:{folder}", cache=cache, threads=2)

    return open_with


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [("cls", states(TEXT)[0]), ("mean", states(TEXT).mean(axis=0)), ("last", states(TEXT)[-1])],
)
def test_each_pooling_takes_its_states(opened: Any, pooling: str, expected: np.ndarray) -> None:
    embedder = opened(pooling=pooling)
    np.testing.assert_allclose(embedder.embed_passages([TEXT]).vectors[0], unit(expected), atol=1e-6)
    np.testing.assert_allclose(embedder.embed_query(TEXT), unit(expected), atol=1e-6)


def test_a_model_that_pools_by_itself_is_taken_at_its_word(folder: Path, opened: Any) -> None:
    write_model(folder / "model.onnx", output="sentence_embedding")
    vector = opened(pooling="cls").embed_query(TEXT)
    np.testing.assert_allclose(vector, unit(states(TEXT).sum(axis=0)), atol=1e-6)


@pytest.mark.parametrize("inputs", [["input_ids"], ["input_ids", "attention_mask", "token_type_ids"]])
def test_a_model_is_given_the_inputs_that_it_declares(folder: Path, opened: Any, inputs: list[str]) -> None:
    write_model(folder / "model.onnx", inputs=inputs)
    np.testing.assert_allclose(opened(pooling="cls").embed_query(TEXT), unit(states(TEXT)[0]), atol=1e-6)


def test_integers_may_be_of_32_bits(folder: Path, opened: Any) -> None:
    write_model(folder / "model.onnx", kind=TensorProto.INT32)
    np.testing.assert_allclose(opened(pooling="cls").embed_query(TEXT), unit(states(TEXT)[0]), atol=1e-6)


def test_positions_count_from_nought_when_asked_for(folder: Path, opened: Any) -> None:
    write_model(folder / "model.onnx", inputs=["input_ids", "position_ids"])
    placed = states(TEXT) + np.arange(5)[:, np.newaxis]
    np.testing.assert_allclose(opened(pooling="mean").embed_query(TEXT), unit(placed.mean(axis=0)), atol=1e-6)


def test_an_input_that_no_encoder_has_is_refused(folder: Path, opened: Any) -> None:
    write_model(folder / "model.onnx", inputs=["input_ids", "pixel_values"])
    with pytest.raises(ConfigError, match="pixel_values"):
        opened().embed_query(TEXT)


def test_prefixes_go_before_their_side_only(opened: Any) -> None:
    embedder = opened(pooling="mean", query_prefix="query : ", passage_prefix="passage : ")
    for vector, text in (
        (embedder.embed_query(TEXT), f"query : {TEXT}"),
        (embedder.embed_passages([TEXT]).vectors[0], f"passage : {TEXT}"),
    ):
        np.testing.assert_allclose(vector, unit(states(text).mean(axis=0)), atol=1e-6)
    assert embedder.fingerprint.query_prefix == "query : "
    assert embedder.fingerprint.passage_prefix == "passage : "


def test_a_tokenizer_without_special_tokens_is_used_as_it_is(folder: Path, opened: Any) -> None:
    write_tokenizer(folder / "tokenizer.json", special=False)
    expected = states(TEXT, special=False).mean(axis=0)
    np.testing.assert_allclose(opened(pooling="mean").embed_query(TEXT), unit(expected), atol=1e-6)


def test_a_text_without_a_token_has_no_vector(folder: Path, opened: Any) -> None:
    write_tokenizer(folder / "tokenizer.json", special=False)
    embedder = opened(pooling="mean")
    assert set(embedder.embed_passages([TEXT, " ", ""]).failures) == {1, 2}
    with pytest.raises(EmbedError, match="no vector"):
        embedder.embed_query("")


# -- long texts -------------------------------------------------------------------------------------------


def words(count: int) -> list[str]:
    return [f"w{i * 7 % 40}" for i in range(count)]


def windowed(body: list[str], room: int, lead: str = "") -> np.ndarray:
    """The mean of the windows' directions, by their number of tokens."""
    starts = [0]
    while starts[-1] + room < len(body):
        starts.append(starts[-1] + room - OVERLAP)
    parts = [states(f"{lead} {' '.join(body[at : at + room])}") for at in starts]
    return unit(sum(len(part) * unit(part.mean(axis=0)) for part in parts))


@pytest.mark.parametrize("count", [98, 99, 150, 1000])
def test_a_long_text_is_the_mean_of_overlapping_windows(opened: Any, count: int) -> None:
    body = words(count)
    embedded = opened(pooling="mean", max_tokens=100).embed_passages([" ".join(body)])
    np.testing.assert_allclose(embedded.vectors[0], windowed(body, 98), atol=1e-5)
    assert embedded.truncated == ()


def test_each_window_of_a_long_text_has_the_prefix(opened: Any) -> None:
    body = words(300)
    embedder = opened(pooling="mean", max_tokens=100, passage_prefix="passage : ")
    vector = embedder.embed_passages([" ".join(body)]).vectors[0]
    np.testing.assert_allclose(vector, windowed(body, 96, "passage :"), atol=1e-5)


def test_only_a_text_beyond_all_windows_is_cut_and_it_is_said(opened: Any) -> None:
    step = 98 - OVERLAP
    most = OVERLAP + MAX_WINDOWS * step
    fits, too_long = words(most), words(most + 1)
    embedded = opened(pooling="mean", max_tokens=100).embed_passages(
        [TEXT, " ".join(too_long), " ".join(fits)]
    )
    assert embedded.truncated == (1,)
    np.testing.assert_allclose(embedded.vectors[2], windowed(fits, 98), atol=1e-5)
    assert not embedded.failures


def test_a_model_without_room_for_text_is_refused(opened: Any) -> None:
    with pytest.raises(ConfigError, match="no room"):
        opened(max_tokens=2).embed_query(TEXT)


def test_a_prefix_that_leaves_no_room_for_text_is_refused(opened: Any) -> None:
    with pytest.raises(ConfigError, match="no room"):
        opened(max_tokens=100, query_prefix="query " * 40).embed_query("w1 " * 100)


# -- failures ---------------------------------------------------------------------------------------------


def test_a_text_whose_vector_cannot_be_used_fails_alone(opened: Any) -> None:
    embedded = opened(pooling="last").embed_passages([TEXT, "w1 nan", "w5"])
    assert embedded.failures == {}
    embedded = opened(pooling="mean").embed_passages([TEXT, "w1 nan", "w5"])
    assert set(embedded.failures) == {1}
    assert not embedded.vectors[1].any()


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json"])
def test_a_file_that_is_garbage_is_refused_by_name(folder: Path, opened: Any, file: str) -> None:
    (folder / file).write_bytes(b"garbage")
    with pytest.raises(ConfigError, match=file):
        opened().embed_query(TEXT)


def test_a_file_that_went_since_is_refused_by_name(folder: Path, opened: Any) -> None:
    embedder = opened()
    (folder / "model.onnx").unlink()
    with pytest.raises(ConfigError, match=r"model\.onnx"):
        _ = embedder.fingerprint


# -- laws -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("batch_size", [1, 3])
def test_it_keeps_the_laws_of_embedders(opened: Any, batch_size: int) -> None:
    # Words beyond the vocabulary are one unknown word here, so the laws get a vocabulary of their own.
    check_embedder(Spelled(opened(pooling="mean", batch_size=batch_size)))


class Spelled:
    """Spells any text in the small vocabulary, a word for each character."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.fingerprint = inner.fingerprint

    def embed_passages(self, texts: list[str]) -> Any:
        return self._inner.embed_passages([self._spell(text) for text in texts])

    def embed_query(self, text: str) -> np.ndarray:
        return self._inner.embed_query(self._spell(text))

    def _spell(self, text: str) -> str:
        return " ".join(f"w{ord(character) % 40}" for character in text)


# -- fingerprint and cache --------------------------------------------------------------------------------


def test_the_fingerprint_follows_the_content_of_the_files_and_not_their_place(
    folder: Path, cache: Path
) -> None:
    def fingerprint(path: Path) -> Any:
        return embedders.get(f"onnx:{path}", cache=cache).fingerprint

    before = fingerprint(folder)
    assert before.dimensions == DIMENSIONS
    moved = folder.parent / "elsewhere" / "model"
    moved.parent.mkdir()
    folder.rename(moved)
    assert fingerprint(moved) == before
    write_tokenizer(moved / "tokenizer.json", special=False)
    assert fingerprint(moved).revision != before.revision
    write_tokenizer(moved / "tokenizer.json")
    (moved / "model.onnx.data").write_bytes(b"weights outside the model")
    assert fingerprint(moved).revision != before.revision


def test_the_second_opening_takes_the_prepared_model_with_the_same_vectors(opened: Any, cache: Path) -> None:
    first = opened().embed_query(TEXT)
    (prepared,) = (cache / "onnx").iterdir()
    assert (prepared / "model.onnx").is_file()
    assert np.array_equal(opened().embed_query(TEXT), first)


def test_a_prepared_model_that_is_damaged_is_made_anew(opened: Any, cache: Path) -> None:
    first = opened().embed_query(TEXT)
    (prepared,) = (cache / "onnx").iterdir()
    (prepared / "model.onnx").write_bytes(b"garbage")
    assert np.array_equal(opened().embed_query(TEXT), first)
    assert np.array_equal(opened().embed_query(TEXT), first)
    assert (prepared / "model.onnx").read_bytes() != b"garbage"


def test_what_an_earlier_onnxruntime_prepared_and_what_a_kill_left_is_tidied_away(
    opened: Any, cache: Path
) -> None:
    opened().embed_query(TEXT)
    (prepared,) = (cache / "onnx").iterdir()
    digest, _, processor = prepared.name.split("-")
    prepared.rename(prepared.with_name(f"{digest}-0.9-{processor}"))
    for name, age in (("other-1.0-x", 0), (".new-killed", 7200), (".new-at-work", 60)):
        (cache / "onnx" / name).mkdir()
        then = time.time() - age
        os.utime(cache / "onnx" / name, (then, then))
    opened().embed_query(TEXT)
    assert {path.name for path in (cache / "onnx").iterdir()} == {
        prepared.name,
        "other-1.0-x",
        ".new-at-work",
    }


def test_a_cache_that_cannot_be_written_only_costs_time(folder: Path, cache: Path) -> None:
    cache.write_text("a file where the folder should be")
    vector = embedders.get(f"onnx:{folder}", cache=cache).embed_query(TEXT)
    np.testing.assert_allclose(vector, unit(states(TEXT).mean(axis=0)), atol=1e-6)
