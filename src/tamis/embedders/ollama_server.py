"""The driver ``ollama``: a model of an Ollama server, through its official client."""

from __future__ import annotations

import json
import threading
import weakref
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tamis.embedders.served import BusyError, Identity, Reply, ServedEmbedder, TextError, TooLongError
from tamis.embedders.served.server import served_options
from tamis.errors import (
    BackendError,
    BackendTimeoutError,
    ConfigError,
    EmbedError,
    MissingExtraError,
    ModelMissingError,
    UnreachableError,
)
from tamis.wire.endpoint import Endpoint, checked_url, ollama_url
from tamis.wire.hints import BROKE_OFF, OLLAMA_START
from tamis.wire.secrets import scrub, secret

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import httpx
    import ollama

    from tamis.embedders.config import EmbedderConfig
    from tamis.embedders.served import ServedOptions
    from tamis.ports import Embedder

KEY = "ollama"
CONNECT_S = 5.0
BUSY_STATUS = frozenset({429, 503})
TOO_LONG = ("context length", "too large", "too long")  # as Ollama words it
MAX_DETAIL = 200


def open_ollama(model: str, config: EmbedderConfig) -> Embedder:
    """The embedding model ``model`` of the server at ``url``, ``OLLAMA_HOST`` when that is not set.

    Raises:
        ConfigError: No model was named, or the options make no sense.
    """
    if not model:
        raise ConfigError("the embedder ollama needs a model", hint=f"for instance {KEY}:nomic-embed-text")
    options = served_options(config.options)
    return ServedEmbedder(KEY, OllamaServer(model, options), options)


class OllamaServer:
    """``EmbeddingServer`` for Ollama. Its client is imported and made when it is first asked.

    Raises:
        ConfigError: The address is none.
    """

    def __init__(self, model: str, options: ServedOptions) -> None:
        self.model = model
        self._url = checked_url(KEY, options.url) if options.url else ollama_url()
        self._shown = Endpoint(KEY, self._url).shown
        self._options = options
        self._making = threading.Lock()
        self._clients: dict[float, ollama.Client] = {}

    def identify(self) -> Identity:
        """The digest and the context of the model; raises as the port has it."""
        models = self._call(lambda client: client.list()).models
        wanted = {self.model, f"{self.model}:latest"}
        digest = next((item.digest or "" for item in models if item.model in wanted), "")
        about: dict[str, Any] = self._call(lambda client: client.show(self.model)).modelinfo or {}
        lengths = [value for key, value in about.items() if key.endswith(".context_length")]
        return Identity(digest.removeprefix("sha256:"), int(lengths[0]) if lengths else 0)

    def embed(self, texts: Sequence[str], timeout: float) -> Reply:
        """As the port has it. A text that is too long is refused, never cut in silence."""
        reply = self._call(
            lambda client: client.embed(
                self.model, list(texts), truncate=False, dimensions=self._options.dimensions
            ),
            timeout,
        )
        return Reply(reply.embeddings, reply.model or self.model)

    def _call(self, call: Callable[[ollama.Client], Any], timeout: float | None = None) -> Any:
        client = self._client(timeout or self._options.query_timeout)
        import httpx
        import ollama
        from pydantic import ValidationError

        try:
            return call(client)
        except ollama.ResponseError as error:
            raise self._refusal(error) from error
        except ConnectionError as error:
            raise self._gone("does not answer", OLLAMA_START) from error
        except httpx.TimeoutException as error:
            raise BackendTimeoutError(
                f"Ollama at {self._shown} did not answer in time with {self.model}",
                hint="what was done is kept: run it again, or raise timeout or lower batch in [embedder.ollama]",
            ) from error
        except httpx.HTTPError as error:
            raise self._gone(f"broke off: {error}", BROKE_OFF) from error
        except json.JSONDecodeError as error:
            raise BackendError(
                f"{self._shown} did not answer with JSON",
                hint="is there a proxy or a login page between, or another server at this address?",
                retryable=False,
            ) from error
        except ValidationError as error:
            raise TextError(
                EmbedError(f"{self.model} sent something other than vectors of numbers")
            ) from error

    def _gone(self, what: str, hint: str) -> UnreachableError:
        return UnreachableError(f"Ollama at {self._shown} {what}", hint=hint)

    def _refusal(self, error: ollama.ResponseError) -> Exception:
        detail = scrub(" ".join(str(error.error).split()), self._key)[:MAX_DETAIL]
        if error.status_code == 404:
            return ModelMissingError(
                f"Ollama at {self._shown} does not have the model {self.model}",
                hint=f"get it with: ollama pull {self.model}",
            )
        told = BackendError(f"Ollama at {self._shown} answered {error.status_code}: {detail}")
        if any(words in detail.lower() for words in TOO_LONG):
            return TooLongError(told)
        if error.status_code in BUSY_STATUS:
            return BusyError(told, _retry_after(error))
        if error.status_code in {401, 403}:
            variable = self._options.key_env or "OLLAMA_API_KEY"
            return BackendError(told.message, hint=f"check the key in {variable}", retryable=False)
        return TextError(told, passing=error.status_code >= 500)

    @cached_property
    def _key(self) -> str:
        """The key in the variable that was named; without one, the client takes that of ``OLLAMA_API_KEY``."""
        variable = self._options.key_env
        return secret(variable, feature="the embedder ollama") if variable else ""

    def _client(self, timeout: float) -> ollama.Client:
        """The client that waits so long; its connections are closed when this server is let go.

        Raises:
            BackendError: The variable that should hold the key is not set.
        """
        with self._making:
            if timeout not in self._clients:
                try:
                    import httpx
                    import ollama
                except ImportError:
                    raise MissingExtraError("the embedder ollama", "ollama") from None
                from tamis.wire.machine import is_loopback
                from tamis.wire.post import tls

                patience = httpx.Timeout(timeout, connect=min(CONNECT_S, timeout))
                client = ollama.Client(
                    self._url,
                    timeout=patience,
                    headers={"Authorization": f"Bearer {self._key}"} if self._key else None,
                    follow_redirects=False,
                    verify=tls(self._url),
                    trust_env=not is_loopback(self._url),
                )
                weakref.finalize(self, client.close)
                self._clients[timeout] = client
            return self._clients[timeout]


def _retry_after(error: ollama.ResponseError) -> float | None:
    """Seconds that the reply asked to wait; the client keeps the reply only as the context of its error."""
    import httpx

    from tamis.wire.post import retry_after

    cause = error.__context__
    if not isinstance(cause, httpx.HTTPStatusError):
        return None
    response: httpx.Response = cause.response
    return retry_after(response.headers.get("Retry-After"))
