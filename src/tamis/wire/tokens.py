"""Guessing how many tokens a server will count, before it is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

BYTES_PER_TOKEN = 4
"""UTF-8 bytes; about right for English prose in the tokenizers of the hosted models, high for other languages."""


def guess_tokens(text: str) -> int:
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN)


def guess_pair_tokens(query: str, texts: Iterable[str]) -> int:
    """Tokens of the texts and of the query once for each of them, as rerank servers count."""
    asked = guess_tokens(query)
    return sum(asked + guess_tokens(text) for text in texts)
