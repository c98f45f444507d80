"""What is read from a folder: tamis.json first, then sentence-transformers' files, then what is usual."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.embedders.tiny_models import write_model

from tamis import embedders
from tamis.embedders.onnx_folder import describe
from tamis.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path


def put(folder: Path, name: str, content: Any) -> None:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")


def test_a_bare_folder_gets_what_is_usual(folder: Path) -> None:
    description = describe(folder)
    assert description.name == "model"
    assert description.model == folder / "model.onnx"
    assert (description.pooling, description.max_tokens, description.batch_size) == ("mean", 512, 1)
    assert (description.query_prefix, description.passage_prefix) == ("", "")


def test_the_files_of_sentence_transformers_are_heeded(folder: Path) -> None:
    put(folder, "1_Pooling/config.json", {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False})
    put(folder, "sentence_bert_config.json", {"max_seq_length": 128, "do_lower_case": False})
    put(
        folder,
        "config_sentence_transformers.json",
        {"prompts": {"query": "query: ", "document": "passage: "}},
    )
    description = describe(folder)
    assert (description.pooling, description.max_tokens) == ("cls", 128)
    assert (description.query_prefix, description.passage_prefix) == ("query: ", "passage: ")


@pytest.mark.parametrize(
    ("settings", "pooling"),
    [
        ({"pooling_mode_lasttoken": True, "pooling_mode_mean_tokens": False}, "last"),
        ({"pooling_mode_mean_tokens": True}, "mean"),
        ({"word_embedding_dimension": 8, "pooling_mode": "cls"}, "cls"),
    ],
)
def test_each_pooling_has_its_name(folder: Path, settings: dict[str, Any], pooling: str) -> None:
    put(folder, "1_Pooling/config.json", settings)
    assert describe(folder).pooling == pooling


@pytest.mark.parametrize(
    ("file", "content", "expected"),
    [
        ("tokenizer_config.json", {"model_max_length": 256}, 256),
        ("tokenizer_config.json", {"model_max_length": 1e30}, 512),
        ("config.json", {"max_position_embeddings": 1024}, 1024),
    ],
)
def test_the_longest_input_is_looked_for_where_it_may_be(
    folder: Path, file: str, content: dict[str, Any], expected: int
) -> None:
    put(folder, file, content)
    assert describe(folder).max_tokens == expected


def test_tamis_json_goes_before_everything_and_may_empty_a_prefix(folder: Path) -> None:
    write_model(folder / "onnx" / "model_int8.onnx")
    put(folder, "1_Pooling/config.json", {"pooling_mode_cls_token": True})
    put(folder, "sentence_bert_config.json", {"max_seq_length": 128})
    put(folder, "config_sentence_transformers.json", {"prompts": {"query": "q: ", "passage": "p: "}})
    own = {
        "name": "mine",
        "file": "onnx/model_int8.onnx",
        "pooling": "last",
        "max_tokens": 300,
        "query_prefix": "",
        "batch_size": 4,
    }
    put(folder, "tamis.json", own)
    description = describe(folder)
    assert description.name == "mine"
    assert description.model == folder / "onnx" / "model_int8.onnx"
    assert (description.pooling, description.max_tokens, description.batch_size) == ("last", 300, 4)
    assert (description.query_prefix, description.passage_prefix) == ("", "p: ")


@pytest.mark.parametrize(
    "place", ["model.onnx", "onnx/model.onnx", "onnx/model_quantized.onnx", "other.onnx"]
)
def test_the_model_is_found_where_exporters_put_it(folder: Path, place: str) -> None:
    (folder / "model.onnx").unlink()
    write_model(folder / place)
    assert describe(folder).model == folder / place


def test_several_models_ask_for_a_choice(folder: Path) -> None:
    (folder / "model.onnx").unlink()
    for name in ("onnx/model_int8.onnx", "onnx/model_fp16.onnx"):
        write_model(folder / name)
    with pytest.raises(ConfigError, match=r"onnx/model_fp16\.onnx, onnx/model_int8\.onnx") as caught:
        describe(folder)
    assert "tamis.json" in caught.value.hint


@pytest.mark.parametrize(
    ("own", "complaint"),
    [
        ({"poling": "cls"}, "unknown key 'poling'"),
        ({"pooling": "max"}, "'max'"),
        ({"max_tokens": "512"}, "max_tokens"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"batch_size": True}, "batch_size"),
        ({"query_prefix": 3}, "query_prefix"),
        ({"file": "none.onnx"}, "none.onnx"),
        (["pooling"], "not a JSON object"),
    ],
)
def test_a_mistake_in_tamis_json_is_named(folder: Path, own: Any, complaint: str) -> None:
    put(folder, "tamis.json", own)
    with pytest.raises(ConfigError, match=complaint):
        describe(folder)


def test_a_misspelt_key_is_answered_with_the_nearest(folder: Path) -> None:
    put(folder, "tamis.json", {"querry_prefix": ""})
    with pytest.raises(ConfigError) as caught:
        describe(folder)
    assert "'query_prefix'" in caught.value.hint


@pytest.mark.parametrize(
    "settings",
    [
        {"pooling_mode_max_tokens": True},
        {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True},
        {"pooling_mode": "weightedmean"},
    ],
)
def test_a_pooling_that_tamis_lacks_is_refused(folder: Path, settings: dict[str, Any]) -> None:
    put(folder, "1_Pooling/config.json", settings)
    with pytest.raises(ConfigError, match="does not have"):
        describe(folder)


def test_broken_json_is_named(folder: Path) -> None:
    (folder / "config.json").write_text("{")
    with pytest.raises(ConfigError, match=r"config\.json cannot be read"):
        describe(folder)


def test_a_folder_without_a_model_or_tokenizer_is_refused(folder: Path, tmp_path: Path, cache: Path) -> None:
    (folder / "model.onnx").unlink()
    for name in (f"onnx:{folder}", f"onnx:{tmp_path}", f"onnx:{tmp_path / 'none'}", "onnx", "onnx:"):
        with pytest.raises(ConfigError):
            embedders.get(name, cache=cache)


def test_a_home_folder_may_be_written_with_a_tilde(
    folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(folder.parent))
    assert embedders.get("onnx:~/model", cache=cache).fingerprint.model == "model"
