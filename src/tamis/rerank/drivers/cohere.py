"""``cohere``: Cohere's rerank API, version 2."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tamis.rerank.registry import register
from tamis.rerank.wire.hosted import HostedReranker, guess_request_tokens
from tamis.wire.tokens import guess_tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tamis.rerank.prices import Price
    from tamis.rerank.wire.rerank_reply import RerankReply

TOKENS_PER_DOCUMENT = 500
"""Of query and document together; a longer document is billed as several."""


@register
class Cohere(HostedReranker):
    """Options: ``model``, ``url``, ``key_env`` (variable with the key; COHERE_API_KEY or CO_API_KEY for Cohere's own URL)."""

    key = "cohere"
    own_url = "https://api.cohere.com/v2/rerank"
    own_model = "rerank-v3.5"
    own_key_envs = ("COHERE_API_KEY", "CO_API_KEY")

    def estimate_cost_cents(
        self,
        count: int,
        *,
        query: str = "",
        texts: Sequence[str] = (),
        config: Mapping[str, object] | None = None,
    ) -> float:
        if count <= 0:
            return 0.0
        price = self.price(config)
        if price is None:
            return math.inf
        asked = guess_tokens(query)
        billed = sum(math.ceil((asked + guess_tokens(text)) / TOKENS_PER_DOCUMENT) for text in texts)
        return price.of_search(max(count, billed)) + price.of_tokens(
            guess_request_tokens(count, query, texts)
        )

    def charged(self, price: Price, reply: RerankReply, count: int) -> float:
        units = reply.search_units
        tokens = reply.total_tokens or guess_request_tokens(count)
        searched = price.of_search(count) if units is None else price.cents_per_search * units
        return searched + price.of_tokens(tokens)
