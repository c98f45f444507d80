"""``llm_judge``: a chat model that grades the passages."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, cast

from tamis.errors import ConfigError, RerankError
from tamis.rerank.base import BaseReranker, best_first
from tamis.rerank.blend import HOSTED_BLEND
from tamis.rerank.judging import correction, judge_messages, read_scores, scores_schema
from tamis.rerank.options import Options
from tamis.rerank.prices import PRICES
from tamis.rerank.registry import register
from tamis.types import Relevance, RerankCapabilities
from tamis.wire.chat import Chat
from tamis.wire.endpoint import endpoint, named, ollama_url
from tamis.wire.tokens import guess_tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tamis.rerank.prices import Price
    from tamis.types import Candidate
    from tamis.wire.chat import Completion, JsonFormat, Protocol

OPENAI_URL = "https://api.openai.com/v1"
DEFAULT_MODEL = "gpt-4o-mini"
KNOWN = frozenset({"provider", "url", "model", "key_env", "batch", "passage_chars", "format"})
BATCH = 50
"""Passages in one call: beyond that, models lose count."""

CALLS_AT_ONCE = 4
PASSAGE_CHARS = 2000
TOKENS_PER_PASSAGE, TOKENS_AROUND, TOKENS_PER_SCORE = 80, 50, 8
"""The rule of thumb for what n passages cost: 80n + 50 tokens in, 8n out."""


@register
class LlmJudge(BaseReranker):
    """Its score is the model's grade, 0 to 1. A call whose reply can't be used is made once more, then it fails.

    Options: ``provider`` (``openai``, for any server with that protocol, or ``ollama``), ``url`` (the API's base, by
    default OpenAI's or ``OLLAMA_HOST``), ``model``, ``key_env`` (variable with the key; OPENAI_API_KEY is used for
    OpenAI's own URL alone), ``batch`` (passages in a call), ``passage_chars`` (how much of a passage is shown), ``format``
    (``json_object``, ``json_schema`` or ``none``: how the server is told to reply in JSON).
    """

    key = "llm_judge"
    blend = HOSTED_BLEND
    capabilities = RerankCapabilities(
        needs_network=True, has_cost=True, max_results=1000, cacheable=True, score_span=1.0
    )

    def __init__(self) -> None:
        super().__init__()
        self.prices = PRICES

    def model(self, config: Mapping[str, object]) -> str:
        chat, options = self._chat_unkeyed(config), self._options(config)
        return (
            f"{chat[0]}:{chat[2]}@{named(chat[1])}:{options.whole('passage_chars', PASSAGE_CHARS, low=100)}"
        )

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
        options = self._options(config or {})
        price = self._price(config or {})
        shown = options.whole("passage_chars", PASSAGE_CHARS, low=100)
        calls = math.ceil(count / options.whole("batch", BATCH))
        around = guess_tokens("".join(message["content"] for message in judge_messages(query, [], shown)))
        read = sum(guess_tokens(text[:shown]) for text in texts) + calls * around if texts else 0
        tokens_in = max(TOKENS_PER_PASSAGE * count + TOKENS_AROUND, read)
        if price is None:
            return math.inf
        return price.of_tokens(tokens_in, TOKENS_PER_SCORE * count) + calls * price.of_search(1)

    def rerank(
        self, query: str, candidates: Sequence[Candidate], top_n: int, config: Mapping[str, object]
    ) -> Sequence[Relevance]:
        options = self._options(config)
        if top_n <= 0 or not candidates:
            return []
        chat = self._chat(config)
        price, size = self._price(config), options.whole("batch", BATCH)
        shown = options.whole("passage_chars", PASSAGE_CHARS, low=100)
        if price is None:
            self.warnings.append(f"no price is known for openai/{chat.model}: what it cost is not counted")
        batches = [candidates[start : start + size] for start in range(0, len(candidates), size)]

        def judge(batch: Sequence[Candidate]) -> list[Relevance]:
            texts = [self.candidate_text(candidate) for candidate in batch]
            grades = self._grades(chat, judge_messages(query, texts, shown), len(batch), price)
            return [Relevance(one.id, grade) for one, grade in zip(batch, grades, strict=True)]

        with ThreadPoolExecutor(min(CALLS_AT_ONCE, len(batches)), thread_name_prefix="tamis-judge") as pool:
            return best_first([one for judged in pool.map(judge, batches) for one in judged], top_n)

    def _grades(
        self, chat: Chat, messages: list[dict[str, str]], count: int, price: Price | None
    ) -> list[float]:
        reason = ""
        for _ in range(2):
            completion = chat.complete(
                [*messages, *([correction(reason, count)] if reason else [])],
                scores_schema(count),
                max_tokens=16 * count + 64,
                deadline=self.deadline,
            )
            self._charge(completion, price)
            try:
                return read_scores(completion.text, count)
            except ValueError as error:
                reason = str(error)
        raise RerankError(
            f"{self.key}: {chat.model} gave no usable scores, twice: {reason}",
            hint="use a model that follows instructions, fewer passages in a call (batch), or format=json_schema",
        )

    def _charge(self, completion: Completion, price: Price | None) -> None:
        if price is not None:
            self.report_cost(
                price.of_tokens(completion.tokens_in, completion.tokens_out) + price.of_search(1)
            )

    def _options(self, config: Mapping[str, object]) -> Options:
        return Options(self.key, config, KNOWN)

    def _chat_unkeyed(self, config: Mapping[str, object]) -> tuple[Protocol, str, str]:
        options = self._options(config)
        provider = cast("Protocol", options.choice("provider", "openai", ("openai", "ollama")))
        if provider == "openai":
            return provider, options.text("url", OPENAI_URL), options.text("model", DEFAULT_MODEL)
        model = options.text("model", "")
        if not model:
            raise ConfigError(f"{self.key}: ollama needs a model", hint="for instance model=llama3.2")
        return provider, options.text("url", "") or ollama_url(), model

    def _chat(self, config: Mapping[str, object]) -> Chat:
        options = self._options(config)
        provider, url, model = self._chat_unkeyed(config)
        where = endpoint(
            self.key,
            url,
            own_url=OPENAI_URL,
            own_key_envs=("OPENAI_API_KEY",),
            key_env=options.text("key_env", ""),
        )
        usual = "json_object" if provider == "openai" else "json_schema"
        form = options.choice("format", usual, ("json_object", "json_schema", "none"))
        return Chat(where, provider, model, cast("JsonFormat", form))

    def _price(self, config: Mapping[str, object]) -> Price | None:
        """What the model costs; nothing on a server of one's own without a price, unknown at OpenAI."""
        from tamis.rerank.prices import Price

        provider, url, model = self._chat_unkeyed(config)
        if provider == "ollama":
            return Price()
        return self.prices.of("openai", model) or (None if url == OPENAI_URL else Price())
