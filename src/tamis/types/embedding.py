"""What an embedder makes, and what it is known by."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from tamis.types.model_use import ModelUse

    Vectors: TypeAlias = NDArray[np.float32]


SERVED = "server"
"""The pooling of a model behind a server, which does not tell it."""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What makes two vectors comparable (DESIGN law 5).

    ``probe`` is the vector of a fixed text, which tells apart two models behind one name; it differs a little between
    processors, so it is compared by nearness, not by ``==``. ``key`` is the embedder's spelling, such as ``bundled`` or ``onnx:FOLDER``.
    """

    key: str
    model: str
    revision: str
    dimensions: int
    pooling: str
    query_prefix: str = ""
    passage_prefix: str = ""
    probe: str = field(default="", compare=False)

    @property
    def version(self) -> str:
        """How reports name the model."""
        return f"{self.model}@{self.revision[:12]}" if self.revision else self.model

    @property
    def use(self) -> ModelUse:
        """What a result says of the embedder: it ran in this process (``local``), or behind a server, which pools by itself."""
        from tamis.types.model_use import ModelUse

        served = self.pooling == SERVED
        return ModelUse("embed", self.version, self.key.partition(":")[0] if served else "local")


@dataclass(frozen=True, slots=True)
class Embedded:
    """What came of embedding a list of texts.

    ``vectors`` is float32, one L2-normalised row for each text, in order; a row whose index is in ``failures`` (index
    → reason) is zero and must not be used. ``truncated`` lists the indexes whose text did not fit.
    """

    vectors: Vectors
    failures: Mapping[int, str] = field(default_factory=dict[int, str])
    truncated: tuple[int, ...] = ()
