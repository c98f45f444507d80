"""Cutting a query and a passage into inputs that the model can take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

OVERLAP_TOKENS = 64
"""Tokens that neighbouring windows share, so that a sentence at the cut is whole in one of them."""

QUERY_SHARE = 0.5
"""Most of an input that the query may take; a longer query is cut, since a passage must fit beside it."""


class PairTokenizer:
    """A tokenizer of pairs that windows long passages; safe to use from several threads.

    Args:
        tokenizer: Changed: its truncation and padding are set here.
        max_tokens: Longest input, query and marks included.
    """

    def __init__(self, tokenizer: Tokenizer, max_tokens: int) -> None:
        self._marks = tokenizer.num_special_tokens_to_add(is_pair=True)
        self._query_tokens = max(1, int((max_tokens - self._marks) * QUERY_SHARE))
        self._max_tokens = max_tokens
        self._tokenizer = tokenizer
        untyped: Any = tokenizer
        untyped.no_padding()
        untyped.enable_truncation(
            max_tokens, stride=self._overlap(self._query_tokens), strategy="only_second"
        )

    def windows(self, query: str, passage: str) -> list[Encoding]:
        """The inputs for a pair: one, or several with the query in each when the passage is too long for one."""
        whole = self._tokenizer.encode(self.fitting(query), passage)
        return [whole, *whole.overflowing]

    def fitting(self, query: str) -> str:
        """The query, cut after the last token that fits."""
        # As the second of a pair, for that is the one which the tokenizer is set to cut.
        first = self._tokenizer.encode("", query)
        ends = [end for (_, end), part in zip(first.offsets, first.sequence_ids, strict=True) if part == 1]
        return query if len(ends) <= self._query_tokens else query[: ends[self._query_tokens - 1]]

    def _overlap(self, query_tokens: int) -> int:
        return min(OVERLAP_TOKENS, max(0, (self._max_tokens - self._marks - query_tokens) // 2))
