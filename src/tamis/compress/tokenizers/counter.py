"""What every token counter does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence


class TokenCounter(Protocol):
    """Counts tokens the way one model's tokenizer would, special tokens aside."""

    @property
    def name(self) -> str:
        """How results name it; given as ``tokenizer=`` it finds the same counter again."""
        ...

    def count(self, text: str) -> int:
        """The number of tokens of a text."""
        ...

    def counts(self, texts: Sequence[str]) -> list[int]:
        """The number of tokens of each text on its own."""
        ...
