"""The driver ``sentence_transformers``: a Hugging Face id or a local folder, run by PyTorch in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tamis.embedders.in_process import Functions, InProcessEmbedder
from tamis.errors import ConfigError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.embedders.config import EmbedderConfig
    from tamis.ports import Embedder

KEY = "sentence_transformers"


def open_sentence_transformers(model: str, _: EmbedderConfig) -> Embedder:
    """The encoder ``model``; it is downloaded when it is first used, unless it is a folder.

    Raises:
        ConfigError: No model was named.
    """
    if not model:
        raise ConfigError(f"the embedder {KEY} needs a model", hint=f"name it so: {KEY}:FOLDER-OR-ID")
    return InProcessEmbedder(KEY, model, lambda: _load(model))


def _load(model: str) -> Functions:
    try:
        import sentence_transformers
    except ImportError:
        raise MissingExtraError(f"the embedder {KEY}", "sentence-transformers") from None
    loaded = sentence_transformers.SentenceTransformer(model)

    def passages(texts: Sequence[str]) -> Any:
        return loaded.encode_document(list(texts), batch_size=1, show_progress_bar=False)

    def query(text: str) -> Any:
        return loaded.encode_query(text, show_progress_bar=False)

    return Functions(passages, query, loaded.max_seq_length or 0)
