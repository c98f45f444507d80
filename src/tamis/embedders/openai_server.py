"""The driver ``openai``: any server with OpenAI's ``/v1/embeddings``, through the official client."""

from __future__ import annotations

import os
import weakref
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from tamis.embedders.served import BusyError, Identity, Reply, ServedEmbedder, TextError, TooLongError
from tamis.embedders.served.server import served_options
from tamis.errors import (
    BackendError,
    BackendTimeoutError,
    EmbedError,
    MissingExtraError,
    ModelMissingError,
    UnreachableError,
)
from tamis.wire.endpoint import endpoint
from tamis.wire.hints import BROKE_OFF
from tamis.wire.secrets import scrub

if TYPE_CHECKING:
    from collections.abc import Sequence

    import openai

    from tamis.embedders.config import EmbedderConfig
    from tamis.embedders.served import ServedOptions
    from tamis.ports import Embedder
    from tamis.wire.endpoint import Endpoint

KEY = "openai"
OWN_URL = "https://api.openai.com/v1"
DEFAULT_MODEL = "text-embedding-3-small"
OWN_CONTEXT = 8192  # tokens, of all embedding models of OpenAI's; other servers refuse what is too long
BUSY_STATUS = frozenset({429, 503})
TOO_LONG = (
    "context length",
    "maximum input length",
    "too large to process",
    "too long",
    "physical batch size",
)
UNREACHABLE, MISSING, TIMEOUT = "OPENAI_UNREACHABLE", "OPENAI_MODEL_MISSING", "OPENAI_TIMEOUT"
MAX_DETAIL = 200


def open_openai(model: str, config: EmbedderConfig) -> Embedder:
    """The embedding model ``model`` of the server at ``url``, ``OPENAI_BASE_URL`` or OpenAI's own when that is not set.

    Raises:
        ConfigError: The options make no sense.
    """
    options = served_options(config.options)
    return ServedEmbedder(KEY, OpenAIServer(model or DEFAULT_MODEL, options), options)


class OpenAIServer:
    """``EmbeddingServer`` for OpenAI's protocol. Its client is imported and made when it is first asked."""

    def __init__(self, model: str, options: ServedOptions) -> None:
        self.model = model
        self._options = options

    def identify(self) -> Identity:
        """The protocol tells neither a digest nor a context."""
        return Identity("", OWN_CONTEXT if self._endpoint.url == OWN_URL else 0)

    def embed(self, texts: Sequence[str], timeout: float) -> Reply:
        """As the port has it. Rows are put in place by the index that the server gives each, if it does."""
        client = self._client
        import openai

        wanted: dict[str, Any] = (
            {} if self._options.dimensions is None else {"dimensions": self._options.dimensions}
        )
        try:
            reply: Any = client.embeddings.create(
                input=list(texts), model=self.model, encoding_format="float", timeout=timeout, **wanted
            )
        except openai.APITimeoutError as error:
            raise BackendTimeoutError(
                f"{self._shown} did not answer in time with {self.model}",
                hint="what was done is kept: run it again, or raise timeout or lower batch in [embedder.openai]",
                code=TIMEOUT,
            ) from error
        except openai.APIStatusError as error:
            raise self._refusal(error) from error
        except openai.APIConnectionError as error:
            raise self._gone(error.__cause__) from error
        except (openai.OpenAIError, ValueError) as error:
            raise self._no_answer() from error
        return self._read(reply)

    def _read(self, reply: Any) -> Reply:
        data = getattr(reply, "data", None)
        if not isinstance(data, list):
            raise self._no_answer()
        items = cast("list[Any]", data)
        rows: list[Any] = [getattr(item, "embedding", None) for item in items]
        places: list[Any] = [getattr(item, "index", None) for item in items]
        # Some servers leave the index out, or have the same one for all: then their order stands, which the known texts in
        # each batch guard.
        if all(type(place) is int for place in places) and sorted(places) == list(range(len(items))):
            rows = [row for _, row in sorted(zip(places, rows, strict=True), key=lambda pair: pair[0])]
        if any(row is not None and not isinstance(row, list) for row in rows):
            raise TextError(EmbedError(f"{self.model} sent something other than vectors of numbers"))
        return Reply(rows, getattr(reply, "model", None) or self.model)

    def _gone(self, cause: BaseException | None) -> UnreachableError:
        import httpx

        absent = isinstance(cause, httpx.ConnectError)
        return UnreachableError(
            f"{self._shown} {'does not answer' if absent else 'broke off'}",
            hint="is the server running, and is url in [embedder.openai] its address?"
            if absent
            else BROKE_OFF,
            code=UNREACHABLE,
        )

    def _no_answer(self) -> BackendError:
        return BackendError(
            f"{self._shown} did not answer with embeddings",
            hint="is there a proxy or a login page between, or another server at this address?",
            retryable=False,
        )

    def _refusal(self, error: openai.APIStatusError) -> Exception:
        from tamis.wire.post import retry_after

        detail = scrub(" ".join(error.message.split()), self._endpoint.key)[:MAX_DETAIL]
        if error.status_code == 404:
            return ModelMissingError(
                f"{self._shown} does not have the model {self.model}",
                hint="check the model's name, and that url in [embedder.openai] ends as the server's does, often in /v1",
                code=MISSING,
            )
        told = BackendError(f"{self._shown} answered {error.status_code}: {detail}")
        if error.status_code in {401, 403}:
            return BackendError(told.message, hint="check the key in the environment", retryable=False)
        if any(words in detail.lower() for words in TOO_LONG):
            return TooLongError(told)
        if error.status_code in BUSY_STATUS:
            return BusyError(told, retry_after(error.response.headers.get("Retry-After")))
        return TextError(told, passing=error.status_code >= 500)

    @property
    def _shown(self) -> str:
        return self._endpoint.shown

    @cached_property
    def _endpoint(self) -> Endpoint:
        url = self._options.url or os.environ.get("OPENAI_BASE_URL", "").strip() or OWN_URL
        key_envs = ("OPENAI_API_KEY",)
        return endpoint(KEY, url, own_url=OWN_URL, own_key_envs=key_envs, key_env=self._options.key_env or "")

    @cached_property
    def _client(self) -> openai.OpenAI:
        try:
            import openai
        except ImportError:
            raise MissingExtraError("the embedder openai", "openai") from None
        from tamis.wire.machine import is_loopback
        from tamis.wire.post import tls

        # The client insists on a key where the server needs none. Waiting and asking again is done in one place for all.
        key = self._endpoint.key or "none"
        url = self._endpoint.url
        http = openai.DefaultHttpxClient(
            verify=tls(url), follow_redirects=False, trust_env=not is_loopback(url)
        )
        client = openai.OpenAI(api_key=key, base_url=url, max_retries=0, http_client=http)
        weakref.finalize(self, client.close)
        return client
