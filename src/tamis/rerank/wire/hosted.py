"""A driver for one ``/rerank`` server: what Cohere, Voyage, Jina and self-hosted ones have in common."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tamis.errors import RerankError
from tamis.rerank.base import BaseReranker, best_first
from tamis.rerank.blend import HOSTED_BLEND
from tamis.rerank.options import Options
from tamis.rerank.prices import PRICES
from tamis.rerank.wire.rerank_reply import read_reply
from tamis.types import Relevance, RerankCapabilities
from tamis.wire.endpoint import endpoint, named
from tamis.wire.post import post_json
from tamis.wire.tokens import guess_pair_tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tamis.rerank.prices import Price
    from tamis.rerank.wire.rerank_reply import RerankReply
    from tamis.types import Candidate
    from tamis.wire.endpoint import Endpoint

TOKENS_PER_DOCUMENT, TOKENS_AROUND = 62, 30
"""The rule of thumb for what n documents cost: 62n + 30 tokens."""


def guess_request_tokens(count: int, query: str = "", texts: Sequence[str] = ()) -> float:
    """What ``count`` documents may take: by the rule of thumb, or by their ``texts`` where that is more."""
    return max(TOKENS_PER_DOCUMENT * count + TOKENS_AROUND, guess_pair_tokens(query, texts))


class HostedReranker(BaseReranker):
    """Class attributes: where the provider's server is, its default model, and the variable that holds its key."""

    own_url: str = ""
    own_model: str = ""
    own_key_envs: tuple[str, ...] = ()
    known_options: frozenset[str] = frozenset({"url", "model", "key_env"})

    blend = HOSTED_BLEND
    capabilities = RerankCapabilities(
        needs_network=True, has_cost=True, max_results=1000, cacheable=True, score_span=1.0
    )

    def __init__(self) -> None:
        super().__init__()
        self.prices = PRICES

    def model(self, config: Mapping[str, object]) -> str:
        """The model, and the server's URL when it is not the provider's."""
        options = self._options(config)
        name, url = options.text("model", self.own_model), options.text("url", self.own_url)
        return name if url == self.own_url else f"{name}@{named(url)}"

    def body(self, model: str, query: str, texts: list[str]) -> dict[str, object]:
        """The request; asks for a score for every text, since the stage cuts the list itself."""
        return {"model": model, "query": query, "documents": texts, "top_n": len(texts)}

    def charged(self, price: Price, reply: RerankReply, count: int) -> float:
        """Cents for a reply, from the usage that it states."""
        raise NotImplementedError

    def rerank(
        self, query: str, candidates: Sequence[Candidate], top_n: int, config: Mapping[str, object]
    ) -> Sequence[Relevance]:
        options = self._options(config)
        if top_n <= 0 or not candidates:
            return []
        texts = [self.candidate_text(candidate) for candidate in candidates]
        model = options.text("model", self.own_model)
        reply = self.scored(options, model, query, texts)
        self._charge(model, reply, len(texts))
        if len(reply.scores) < len(texts):
            self.warnings.append(
                f"{self.key} scored {len(reply.scores)} of {len(texts)} passages; the others follow"
            )
        return best_first([Relevance(candidates[i].id, reply.scores[i]) for i in sorted(reply.scores)], top_n)

    def scored(self, options: Options, model: str, query: str, texts: list[str]) -> RerankReply:
        """The server's scores for the texts.

        Raises:
            RerankError: There are none that can be used.
        """
        reply = post_json(self.endpoint(options), self.body(model, query, texts), deadline=self.deadline)
        return self.read(reply, len(texts))

    def price(self, config: Mapping[str, object] | None) -> Price | None:
        return self.prices.of(self.key, self._options(config or {}).text("model", self.own_model))

    def _options(self, config: Mapping[str, object]) -> Options:
        return Options(self.key, config, self.known_options)

    def endpoint(self, options: Options) -> Endpoint:
        return endpoint(
            self.key,
            options.text("url", self.own_url),
            own_url=self.own_url,
            own_key_envs=self.own_key_envs,
            key_env=options.text("key_env", ""),
        )

    def read(self, reply: object, count: int) -> RerankReply:
        try:
            return read_reply(reply, count)
        except RerankError as error:
            raise RerankError(
                f"{self.key}: {error.message}", hint="is this a rerank server's address?"
            ) from None

    def _charge(self, model: str, reply: RerankReply, count: int) -> None:
        price = self.prices.of(self.key, model)
        if price is not None:
            self.report_cost(self.charged(price, reply, count))
        elif self.capabilities.has_cost:  # a server of one's own is free unless it has a price
            self.warnings.append(f"no price is known for {self.key}/{model}: what it cost is not counted")


class TokenPricedReranker(HostedReranker):
    """A server that charges by the tokens of each document and of the query once for each document."""

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
        tokens = guess_request_tokens(count, query, texts)
        return math.inf if price is None else price.of_tokens(tokens) + price.of_search(count)

    def charged(self, price: Price, reply: RerankReply, count: int) -> float:
        tokens = guess_request_tokens(count) if reply.total_tokens is None else reply.total_tokens
        return price.of_tokens(tokens) + price.of_search(count)
