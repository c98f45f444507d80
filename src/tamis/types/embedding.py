"""What an embedder makes, and what it is known by."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    Vectors: TypeAlias = NDArray[np.float32]


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


@dataclass(frozen=True, slots=True)
class Embedded:
    """What came of embedding a list of texts.

    ``vectors`` is float32, one L2-normalised row for each text, in order; a row whose index is in ``failures`` (index
    → reason) is zero and must not be used. ``truncated`` lists the indexes whose text did not fit.
    """

    vectors: Vectors
    failures: Mapping[int, str] = field(default_factory=dict[int, str])
    truncated: tuple[int, ...] = ()
