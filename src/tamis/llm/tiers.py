"""Calls to language models by tier: limited in number and time, handed to a smaller model when one is late."""

from __future__ import annotations

import math
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from tamis.errors import BackendError, BackendTimeoutError, ConfigError, ModelMissingError, TierTimeoutError
from tamis.types import ModelUse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tamis.wire.endpoint import Endpoint

ORDER = ("deep", "workhorse", "instant")
"""From the largest to the smallest; a fallback goes down."""

OPENAI_URL = "https://api.openai.com/v1"
CLOUD_TAGS = ("-cloud", ":cloud")
"""How the names of models end that Ollama hands on to its own servers."""


@dataclass(frozen=True, slots=True)
class Tier:
    """A model of a server. ``timeout`` in seconds; ``num_ctx`` in tokens."""

    name: str
    backend: Literal["ollama", "openai"]
    model: str
    url: str | None = None
    key_env: str | None = None
    timeout: float = 60.0
    num_ctx: int = 8192

    def endpoint(self) -> Endpoint:
        """The server's base address with its key.

        Raises:
            ConfigError: The address is none.
            BackendError: The variable that should hold the key is not set.
        """
        from tamis.wire.endpoint import endpoint, ollama_url

        if self.backend == "ollama":
            return endpoint(self.backend, self.url or ollama_url(), key_env=self.key_env or "")
        return endpoint(
            self.backend,
            self.url or OPENAI_URL,
            own_url=OPENAI_URL,
            own_key_envs=("OPENAI_API_KEY",),
            key_env=self.key_env or "",
        )

    @property
    def local(self) -> bool:
        """Whether its model runs on this machine. The server's host decides, which may be looked up; a model of Ollama's cloud
        runs elsewhere whatever server hands it on.

        Raises:
            ConfigError: The server's address is none.
        """
        from tamis.wire.endpoint import ollama_url
        from tamis.wire.machine import is_here

        if self.backend == "ollama":
            return not self.model.lower().endswith(CLOUD_TAGS) and is_here(self.url or ollama_url())
        return is_here(self.url or OPENAI_URL)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said, and how it came to be asked."""

    text: str
    use: ModelUse


class Tiers:
    """The configured tiers. Safe to use from threads; at most ``concurrency`` calls run at a time."""

    def __init__(self, tiers: Mapping[str, Tier], *, concurrency: int = 4) -> None:
        self._tiers = {name: tiers[name] for name in ORDER if name in tiers}
        self._free = threading.BoundedSemaphore(concurrency)

    def __bool__(self) -> bool:
        return bool(self._tiers)

    def chain(self, name: str, *, model: str | None = None, local: bool | None = None) -> list[Tier]:
        """The tiers to try for ``name``, in order: itself, or the nearest there is, and those below it.

        Args:
            model: In place of the first one's own; a caller that names a model gets that model or none.
            local: Only tiers whose model runs, or does not run, on this machine.

        Raises:
            ConfigError: There is none.
        """
        from dataclasses import replace

        asked = [tier if model is None else replace(tier, model=model) for tier in self._tiers.values()]
        fitting = [tier for tier in asked if local is None or tier.local == local]
        if not fitting:
            where = "" if local is None else " on this machine" if local else " in the cloud"
            if model is not None and asked:
                raise ConfigError(
                    f"{model} does not run{where}",
                    hint="name another model, or leave the choice between local and cloud open",
                )
            raise ConfigError(
                f"no language model{where} is configured",
                hint='name one in tamis.toml: [tiers.workhorse] with backend = "ollama" and model = "llama3.2"',
            )
        wanted = ORDER.index(name)
        below = [tier for tier in fitting if ORDER.index(tier.name) >= wanted]
        chain = below or fitting[-1:]
        return chain if model is None else chain[:1]

    def complete(
        self,
        chain: Sequence[Tier],
        messages: Sequence[dict[str, str]],
        *,
        max_tokens: int,
        schema: dict[str, object] | None = None,
        deadline: float = math.inf,
    ) -> Reply:
        """The reply of the first tier of the chain that is not late.

        Args:
            schema: JSON schema of the reply; ``None`` for plain text.
            deadline: Instant of ``time.monotonic()``; each call also has its tier's own time.

        Raises:
            TierTimeoutError: All were late.
            ModelMissingError: A server does not have the model.
            BackendError: A server did not do its part.
        """
        for tier in chain:
            limit = min(deadline, time.monotonic() + tier.timeout)
            if not self._free.acquire(timeout=max(0.0, limit - time.monotonic())):
                continue
            try:
                return _reply(tier, chain[0], messages, schema, max_tokens, limit)
            except BackendTimeoutError:
                continue
            finally:
                self._free.release()
        names = ", ".join(f"{tier.name} ({tier.model})" for tier in chain)
        raise TierTimeoutError(
            f"no model answered in time: {names}", hint="raise timeout in [tiers.…], or use a smaller model"
        )


def _reply(
    tier: Tier,
    first: Tier,
    messages: Sequence[dict[str, str]],
    schema: dict[str, object] | None,
    max_tokens: int,
    deadline: float,
) -> Reply:
    from tamis.wire.chat import NOT_FOUND, Chat
    from tamis.wire.post import RefusedError

    chat = Chat(
        tier.endpoint(), tier.backend, tier.model, "json_schema" if schema else "none", context=tier.num_ctx
    )
    try:
        said = chat.complete(messages, schema or {}, max_tokens=max_tokens, deadline=deadline)
    except (ModelMissingError, RefusedError) as error:
        if isinstance(error, ModelMissingError) or error.status == NOT_FOUND:
            raise missing(tier) from error
        raise
    return Reply(
        said.text,
        ModelUse(
            tier_used=tier.name,
            model=tier.model,
            backend=tier.backend,
            tokens_in=round(said.tokens_in),
            tokens_out=round(said.tokens_out),
            model_requested=None if tier is first else first.model,
            fallback_from=None if tier is first else first.name,
        ),
    )


def missing(tier: Tier) -> ModelMissingError:
    """The error of a server that does not have the tier's model; the hint says how to get it."""
    if tier.backend == "ollama":
        return ModelMissingError(
            f"Ollama does not have the model {tier.model} of the tier {tier.name}",
            hint=f"get it with: ollama pull {tier.model}",
        )
    return ModelMissingError(
        f"{tier.endpoint().shown} does not have the model {tier.model} of the tier {tier.name}",
        hint=f"check model and url in [tiers.{tier.name}]",
        code="OPENAI_MODEL_MISSING",
    )


def residency(tier: Tier, *, patience: float = 2.0) -> str | None:
    """Where Ollama holds the model: ``gpu``, ``cpu`` or ``gpu+cpu``; ``None`` when it does not tell.

    Args:
        patience: Seconds that the question may take.
    """
    if tier.backend != "ollama":
        return None
    from tamis.wire.post import get_json

    at = tier.endpoint()
    try:
        reply = get_json(at.at("/api/ps", ollama=True), deadline=time.monotonic() + patience)
        loaded = _loaded(reply, tier.model)
    except (BackendError, TypeError, AttributeError, KeyError):
        return None
    if loaded is None:
        return None
    whole, there = loaded
    return "cpu" if not there else "gpu" if there >= whole else "gpu+cpu"


def _loaded(reply: Any, model: str) -> tuple[int, int] | None:
    for entry in reply["models"]:
        if entry.get("name") in {model, f"{model}:latest"}:
            return int(entry["size"]), int(entry["size_vram"])
    return None
