"""The driver ``onnx``: any local folder with an ONNX text encoder and its ``tokenizer.json``.

How the model is used comes from the files that sentence-transformers keeps in such a folder, where they are there, and
from ``tamis.json``, which goes before them::

    {"name": "my-model", "file": "onnx/model_int8.onnx", "pooling": "mean", "max_tokens": 256,
     "query_prefix": "query: ", "passage_prefix": "passage: ", "batch_size": 1}

Every key may be left out. ``pooling`` is ``cls``, ``mean`` or ``last``. ``batch_size`` above 1 lets texts of the same
number of tokens run together: for models that are not quantised, whose vectors then differ in the last bits at most.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tamis.embedders.description import POOLINGS, ModelDescription
from tamis.embedders.onnx_embedder import OnnxEmbedder
from tamis.errors import ConfigError
from tamis.suggestions import suggestion

if TYPE_CHECKING:
    from tamis.embedders.config import EmbedderConfig
    from tamis.embedders.description import Pooling
    from tamis.ports import Embedder

KEY = "onnx"
OWN_FILE = "tamis.json"
OWN_KEYS: dict[str, type] = {
    "name": str,
    "file": str,
    "pooling": str,
    "max_tokens": int,
    "query_prefix": str,
    "passage_prefix": str,
    "batch_size": int,
}
FALLBACK_TOKENS = 512
# transformers writes 1e30 for "no limit known".
LARGEST_TOKENS = 1_000_000
# What sentence-transformers calls the poolings (a flag each until version 5, a name since) and the prompts.
POOLING_FLAGS: dict[str, Pooling] = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_lasttoken": "last",
}
POOLING_NAMES: dict[str, Pooling] = {"cls": "cls", "mean": "mean", "lasttoken": "last"}
QUERY_PROMPTS = ("query", "search_query")
PASSAGE_PROMPTS = ("document", "passage", "search_document")


def open_onnx(model: str, config: EmbedderConfig) -> Embedder:
    """The encoder in the folder ``model``.

    Raises:
        ConfigError: The folder lacks a file, or one of them cannot be understood.
    """
    if not model:
        raise ConfigError("the embedder onnx needs a folder", hint=f"name it so: {KEY}:FOLDER")
    return OnnxEmbedder(KEY, describe(Path(model).expanduser().resolve()), config)


def describe(folder: Path) -> ModelDescription:
    """What the files in ``folder`` say of the model there; raises as ``open_onnx``."""
    tokenizer = folder / "tokenizer.json"
    if not tokenizer.is_file():
        raise ConfigError(
            f"there is no tokenizer.json in {folder}",
            hint="an embedder's folder holds an ONNX model and the tokenizer.json that belongs to it",
        )
    own = _own_settings(folder)
    prompts = cast("dict[str, str]", _read(folder / "config_sentence_transformers.json").get("prompts") or {})
    return ModelDescription(
        name=own.get("name") or folder.name,
        model=_model_file(folder, own.get("file")),
        tokenizer=tokenizer,
        pooling=own.get("pooling") or _pooling(folder),
        max_tokens=own.get("max_tokens") or _max_tokens(folder),
        query_prefix=own.get("query_prefix", _prompt(prompts, QUERY_PROMPTS)),
        passage_prefix=own.get("passage_prefix", _prompt(prompts, PASSAGE_PROMPTS)),
        batch_size=own.get("batch_size") or 1,
    )


def _own_settings(folder: Path) -> dict[str, Any]:
    path = folder / OWN_FILE
    own = _read(path)
    for key, value in own.items():
        if key not in OWN_KEYS:
            raise ConfigError(f"{path} has an unknown key {key!r}", hint=suggestion(key, sorted(OWN_KEYS)))
        if type(value) is not OWN_KEYS[key] or (isinstance(value, int) and value < 1):
            kind = "a number of 1 or more" if OWN_KEYS[key] is int else "text"
            raise ConfigError(f"{key} in {path} must be {kind}")
    if own.get("pooling", "cls") not in POOLINGS:
        raise ConfigError(f"pooling in {path} is {own['pooling']!r}", hint=f"one of {', '.join(POOLINGS)}")
    return own


def _model_file(folder: Path, name: str | None) -> Path:
    if name is not None:
        if (folder / name).is_file():
            return folder / name
        raise ConfigError(f"there is no {name} in {folder}, which its {OWN_FILE} names")
    for usual in (folder / "model.onnx", folder / "onnx" / "model.onnx"):
        if usual.is_file():
            return usual
    found = sorted([*folder.glob("*.onnx"), *folder.glob("onnx/*.onnx")])
    if len(found) == 1:
        return found[0]
    if not found:
        raise ConfigError(
            f"there is no ONNX model in {folder}", hint="it is looked for as model.onnx or onnx/model.onnx"
        )
    names = ", ".join(path.relative_to(folder).as_posix() for path in found)
    raise ConfigError(
        f"there are several ONNX models in {folder}: {names}",
        hint=f'choose one in {OWN_FILE}: {{"file": "…"}}',
    )


def _pooling(folder: Path) -> Pooling:
    path = folder / "1_Pooling" / "config.json"
    settings = _read(path)
    modes = [name for name, on in settings.items() if name.startswith("pooling_mode_") and on is True]
    modes = modes or [str(settings.get("pooling_mode", "mean"))]  # their default
    known = POOLING_FLAGS | POOLING_NAMES
    if len(modes) > 1 or modes[0] not in known:
        raise ConfigError(
            f"{path} asks for {', '.join(modes)}, which tamis does not have",
            hint=f"it has {', '.join(POOLINGS)}; where one of them will do, name it as pooling in {OWN_FILE}",
        )
    return known[modes[0]]


def _max_tokens(folder: Path) -> int:
    for file, key in (
        ("sentence_bert_config.json", "max_seq_length"),
        ("tokenizer_config.json", "model_max_length"),
        ("config.json", "max_position_embeddings"),
    ):
        value = _read(folder / file).get(key)
        if isinstance(value, int | float) and 0 < value < LARGEST_TOKENS:
            return int(value)
    return FALLBACK_TOKENS


def _prompt(prompts: dict[str, str], names: tuple[str, ...]) -> str:
    return next((prompts[name] for name in names if prompts.get(name)), "")


def _read(path: Path) -> dict[str, Any]:
    """The JSON object in ``path``; empty when there is no such file."""
    try:
        content: object = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"{path} cannot be read as JSON: {error}") from error
    if not isinstance(content, dict):
        raise ConfigError(f"{path} is not a JSON object")
    return cast("dict[str, Any]", content)
