"""The driver ``fastembed``: a model of Qdrant's fastembed, or a local folder, run by its onnxruntime in this process.

A folder is read as the driver ``onnx`` reads one (``tamis.json``, sentence-transformers' files) and needs, for
fastembed's sake, ``config.json`` and ``tokenizer_config.json`` beside the model and its ``tokenizer.json``.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tamis.embedders.in_process import Functions, InProcessEmbedder
from tamis.embedders.onnx_folder import describe
from tamis.errors import ConfigError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastembed import TextEmbedding

    from tamis.embedders.config import EmbedderConfig
    from tamis.ports import Embedder

KEY = "fastembed"
CONTEXT = 512  # tokens; the library does not tell, and almost all of its models read as many


def open_fastembed(model: str, config: EmbedderConfig) -> Embedder:
    """The encoder ``model``: a folder, or the id that fastembed knows it by, which is downloaded when it is first used.

    Raises:
        ConfigError: No model was named.
    """
    if not model:
        raise ConfigError(
            f"the embedder {KEY} needs a model", hint=f"for instance {KEY}:BAAI/bge-small-en-v1.5"
        )
    folder = Path(model).expanduser()
    if folder.is_dir():
        return InProcessEmbedder(KEY, model, lambda: _load_folder(folder.resolve()))
    return InProcessEmbedder(KEY, model, lambda: _load(model, config.cache))


def _load(model: str, cache: Path) -> Functions:
    models = _models()
    try:
        loaded = models(model, cache_dir=str(cache / "fastembed"))
    except ValueError as error:
        raise ConfigError(f"fastembed does not know the model {model}", hint=str(error)) from error
    return _functions(loaded, CONTEXT)


def _load_folder(folder: Path) -> Functions:
    models = _models()
    from fastembed.common.model_description import ModelSource, PoolingType

    description = describe(folder)
    poolings = {"cls": PoolingType.CLS, "mean": PoolingType.MEAN, "last": PoolingType.LAST_TOKEN}
    name = str(folder)
    if all(known["model"] != name for known in models.list_supported_models()):
        models.add_custom_model(
            model=name,
            pooling=poolings[description.pooling],
            normalization=True,
            sources=ModelSource(hf=name),  # one has to be named; the folder is read in its place
            dim=0,  # only listed, never used
            model_file=description.model.relative_to(folder).as_posix(),
        )
    loaded = models(name, specific_model_path=name)
    return _functions(loaded, description.max_tokens, description.query_prefix, description.passage_prefix)


def _models() -> type[TextEmbedding]:
    try:
        from fastembed import TextEmbedding
    except ImportError:
        raise MissingExtraError(f"the embedder {KEY}", "fastembed") from None
    return TextEmbedding


def _functions(
    loaded: TextEmbedding, context: int, query_prefix: str = "", passage_prefix: str = ""
) -> Functions:
    def passages(texts: Sequence[str]) -> Any:
        return list(loaded.passage_embed([passage_prefix + text for text in texts], batch_size=1))

    def query(text: str) -> Any:
        return next(iter(loaded.query_embed(query_prefix + text)))

    return Functions(passages, query, context)
