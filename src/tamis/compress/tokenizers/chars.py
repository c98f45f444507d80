"""An estimate for when the model's tokenizer is not known: a token for every four characters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# The rule of thumb that model vendors give for English; other scripts need more tokens than it says.
CHARS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class CharacterEstimate:
    """Characters divided by four, rounded up."""

    name: str = "chars/4"

    def count(self, text: str) -> int:
        return -(-len(text) // CHARS_PER_TOKEN)

    def counts(self, texts: Sequence[str]) -> list[int]:
        return [self.count(text) for text in texts]
