"""``jina``: Jina AI's rerank API."""

from __future__ import annotations

from tamis.rerank.registry import register
from tamis.rerank.wire.hosted import TokenPricedReranker


@register
class Jina(TokenPricedReranker):
    """Options: ``model``, ``url``, ``key_env`` (variable with the key; JINA_API_KEY for Jina's own URL)."""

    key = "jina"
    own_url = "https://api.jina.ai/v1/rerank"
    own_model = "jina-reranker-v2-base-multilingual"
    own_key_envs = ("JINA_API_KEY",)

    def body(self, model: str, query: str, texts: list[str]) -> dict[str, object]:
        return {**super().body(model, query, texts), "return_documents": False}
