"""What there is to know about an ONNX text encoder before it runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Pooling = Literal["cls", "mean", "last"]
# Tokens that a window of a long text shares with the one before it, so that a sentence cut by one is whole in the other.
OVERLAP = 64
POOLINGS: tuple[Pooling, ...] = ("cls", "mean", "last")


@dataclass(frozen=True, slots=True)
class ModelDescription:
    """An encoder's files and how they are to be used.

    ``pooling``: which token states make the vector; of no effect where the model gives whole-text vectors itself.
    ``max_tokens``: the longest input, special tokens included; longer texts are windowed.
    ``dimensions``: ``None`` to ask the model. ``batch_size``: texts of the same length that may run together.
    ``expected``: the SHA-256 that files must have, with a ``remedy`` for when they do not.
    """

    name: str
    model: Path
    tokenizer: Path
    pooling: Pooling
    max_tokens: int
    dimensions: int | None = None
    query_prefix: str = ""
    passage_prefix: str = ""
    batch_size: int = 1
    expected: Mapping[Path, str] = field(default_factory=dict[Path, str])
    remedy: str = ""

    @property
    def files(self) -> tuple[Path, ...]:
        """All that decides the vectors: tokenizer, model, and weights that lie outside the model's file."""
        weights = self.model.parent.glob(f"{self.model.name}[._]*") if self.model.parent.is_dir() else ()
        return (self.tokenizer, self.model, *sorted(weights))
