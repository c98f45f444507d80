"""One chat completion, from a server that speaks OpenAI's protocol or Ollama's."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from tamis.errors import BackendError, ModelMissingError
from tamis.wire.post import RefusedError, post_json
from tamis.wire.tokens import guess_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.wire.endpoint import Endpoint

Protocol = Literal["openai", "ollama"]
JsonFormat = Literal["json_object", "json_schema", "none"]
NOT_FOUND = 404
SMALLEST_CONTEXT = 4096
"""Tokens; Ollama's own default. It cuts a longer prompt silently, so a longer context is asked for."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What the model said, and the tokens that the server counted; 0 where it didn't."""

    text: str
    tokens_in: float
    tokens_out: float


@dataclass(frozen=True, slots=True)
class Chat:
    """A model of a server. ``url`` of the endpoint is the API's base (``…/v1``), or Ollama's address.

    ``context``: tokens that Ollama is to hold; by default as many as a conversation needs.
    """

    endpoint: Endpoint
    protocol: Protocol
    model: str
    json_format: JsonFormat = "json_object"
    context: int = 0

    def complete(
        self,
        messages: Sequence[dict[str, str]],
        schema: dict[str, object],
        *,
        max_tokens: int,
        deadline: float,
    ) -> Completion:
        """The model's reply at temperature 0, held to JSON, and to ``schema`` where the server can do that.

        Raises:
            ModelMissingError: Ollama does not have the model.
            BackendError: There is no reply.
        """
        path, body = (
            ("/api/chat", self._ollama_body(messages, schema, max_tokens))
            if self.protocol == "ollama"
            else ("/chat/completions", self._openai_body(messages, schema, max_tokens))
        )
        target = self.endpoint.at(path, ollama=self.protocol == "ollama")
        try:
            reply = post_json(target, body, deadline=deadline)
        except RefusedError as error:
            if self.protocol == "ollama" and error.status == NOT_FOUND:
                raise self._missing(target) from error
            raise
        read = _read_ollama if self.protocol == "ollama" else _read_openai
        try:
            return read(reply)
        except (KeyError, IndexError, TypeError, AttributeError):
            raise BackendError(
                f"{target.driver}: {target.shown} did not answer with a chat completion",
                hint="check url and provider in its config",
                retryable=False,
            ) from None

    def _missing(self, target: Endpoint) -> ModelMissingError:
        return ModelMissingError(
            f"{target.driver}: Ollama at {self.endpoint.shown} does not have the model {self.model}",
            hint=f"get it with: ollama pull {self.model}",
        )

    def _openai_body(
        self, messages: Sequence[dict[str, str]], schema: dict[str, object], max_tokens: int
    ) -> dict[str, object]:
        body: dict[str, object] = {
            "model": self.model,
            "messages": list(messages),
            "temperature": 0,
            "max_tokens": max_tokens,
        }
        if self.json_format == "json_object":
            body["response_format"] = {"type": "json_object"}
        elif self.json_format == "json_schema":
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "reply", "strict": True, "schema": schema},
            }
        return body

    def _ollama_body(
        self, messages: Sequence[dict[str, str]], schema: dict[str, object], max_tokens: int
    ) -> dict[str, object]:
        needed = sum(guess_tokens(message["content"]) for message in messages) * 4 // 3 + max_tokens
        # Powers of two: Ollama loads the model anew for each other length.
        context = self.context or max(SMALLEST_CONTEXT, 2 ** math.ceil(math.log2(needed)))
        return {
            "model": self.model,
            "messages": list(messages),
            "stream": False,
            "format": {"json_object": "json", "json_schema": schema, "none": ""}[self.json_format],
            "options": {"temperature": 0, "num_predict": max_tokens, "num_ctx": context},
        }


def _read_openai(reply: Any) -> Completion:
    usage = cast("dict[str, Any]", reply.get("usage") or {})
    text = reply["choices"][0]["message"]["content"] or ""
    return Completion(str(text), _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")))


def _read_ollama(reply: Any) -> Completion:
    text = reply["message"]["content"] or ""
    return Completion(str(text), _count(reply.get("prompt_eval_count")), _count(reply.get("eval_count")))


def _count(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) and math.isfinite(value) and value > 0 else 0.0
