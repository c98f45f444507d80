"""The driver ``fastembed``: a model of Qdrant's fastembed, run by onnxruntime in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tamis.embedders.in_process import Functions, InProcessEmbedder
from tamis.embedders.registry import register
from tamis.errors import ConfigError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tamis.embedders.config import EmbedderConfig
    from tamis.ports import Embedder

KEY = "fastembed"
CONTEXT = 512  # tokens; the library does not tell, and almost all of its models read as many


@register(KEY)
def open_fastembed(model: str, config: EmbedderConfig) -> Embedder:
    """The encoder ``model``, by the id that fastembed knows it by; it is downloaded when it is first used.

    Raises:
        ConfigError: No model was named.
    """
    if not model:
        raise ConfigError(
            f"the embedder {KEY} needs a model", hint=f"for instance {KEY}:BAAI/bge-small-en-v1.5"
        )
    return InProcessEmbedder(KEY, model, lambda: _load(model, config.cache))


def _load(model: str, cache: Path) -> Functions:
    try:
        import fastembed
    except ImportError:
        raise MissingExtraError(f"the embedder {KEY}", "fastembed") from None
    try:
        loaded = fastembed.TextEmbedding(model, cache_dir=str(cache / "fastembed"))
    except ValueError as error:
        raise ConfigError(f"fastembed does not know the model {model}", hint=str(error)) from error

    def passages(texts: Sequence[str]) -> Any:
        return list(loaded.passage_embed(texts, batch_size=1))

    def query(text: str) -> Any:
        return next(iter(loaded.query_embed(text)))

    return Functions(passages, query, CONTEXT)
