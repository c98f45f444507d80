"""``voyage``: Voyage AI's rerank API."""

from __future__ import annotations

from tamis.rerank.registry import register
from tamis.rerank.wire.hosted import TokenPricedReranker


@register
class Voyage(TokenPricedReranker):
    """Options: ``model``, ``url``, ``key_env`` (variable with the key; VOYAGE_API_KEY for Voyage's own URL)."""

    key = "voyage"
    own_url = "https://api.voyageai.com/v1/rerank"
    own_model = "rerank-2"
    own_key_envs = ("VOYAGE_API_KEY",)

    def body(self, model: str, query: str, texts: list[str]) -> dict[str, object]:
        return {"model": model, "query": query, "documents": texts, "top_k": len(texts), "truncation": True}
