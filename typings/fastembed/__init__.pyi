from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from fastembed.common.model_description import ModelSource, PoolingType
from numpy.typing import NDArray

class TextEmbedding:
    def __init__(
        self, model_name: str, cache_dir: str | None = ..., *, specific_model_path: str = ...
    ) -> None: ...
    @classmethod
    def list_supported_models(cls) -> list[dict[str, Any]]: ...
    @classmethod
    def add_custom_model(
        cls,
        model: str,
        pooling: PoolingType,
        normalization: bool,
        sources: ModelSource,
        dim: int,
        model_file: str = ...,
    ) -> None: ...
    def passage_embed(
        self, texts: Sequence[str], *, batch_size: int = ...
    ) -> Iterable[NDArray[np.float32]]: ...
    def query_embed(self, query: str) -> Iterable[NDArray[np.float32]]: ...
