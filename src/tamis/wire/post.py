"""One JSON request, retried while that can help and there is time."""

from __future__ import annotations

import json
import math
import ssl
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tamis.errors import BackendError, BackendTimeoutError, UnreachableError
from tamis.wire.hints import BROKE_OFF, OLLAMA_START, START
from tamis.wire.machine import is_loopback
from tamis.wire.secrets import scrub

if TYPE_CHECKING:
    from collections.abc import Callable

    import httpx

    from tamis.wire.endpoint import Endpoint

ATTEMPTS = 4
FIRST_WAIT_S, LONGEST_WAIT_S = 0.25, 4.0
CONNECT_S, PATIENCE_S = 5.0, 60.0
"""Seconds to connect, and to answer where the caller sets no deadline."""

MAX_REPLY_BYTES = 32 * 1024 * 1024
MAX_DETAIL_CHARS = 200
UNREACHABLE, TIMEOUT = "BACKEND_UNREACHABLE", "BACKEND_TIMEOUT"
"""Codes of servers that need not be Ollama."""

RETRIED_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504, 529})


class RefusedError(BackendError):
    """The server answered, and not with success.

    ``status`` is HTTP's; ``detail`` what the server said, shortened and without secrets; ``retry_after`` the seconds
    that it asks to wait.
    """

    def __init__(
        self, message: str, *, hint: str, status: int, detail: str, retry_after: float | None
    ) -> None:
        super().__init__(message, hint=hint, retryable=status in RETRIED_STATUS)
        self.status = status
        self.detail = detail
        self.retry_after = retry_after


def get_json(endpoint: Endpoint, *, deadline: float = math.inf) -> Any:
    """The JSON that is at the endpoint, asked for once; raises as ``post_json``."""
    return post_json(endpoint, None, deadline=deadline, attempts=1)


def post_json(
    endpoint: Endpoint,
    body: dict[str, object] | None,
    *,
    deadline: float = math.inf,
    attempts: int = ATTEMPTS,
    sleep: Callable[[float], None] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Any:
    """Send ``body`` (without one, only ask) and return the JSON of the reply.

    Rate limits, overload and broken connections are tried again, after what ``Retry-After`` asks or a growing wait with
    jitter, up to ``attempts`` times in all. A wait that would pass ``deadline`` (of ``clock``) is not begun.

    Raises:
        BackendError: No usable reply; ``RefusedError`` when the server said so itself. No message holds a key.
    """
    import httpx
    import tenacity

    backoff = tenacity.wait_exponential(multiplier=FIRST_WAIT_S, max=LONGEST_WAIT_S) + tenacity.wait_random(
        0, FIRST_WAIT_S
    )

    def wait(state: tenacity.RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.retry_after if isinstance(error, RefusedError) else None
        return backoff(state) if asked is None else asked

    def give_up(state: tenacity.RetryCallState) -> bool:
        return state.attempt_number >= attempts or clock() + state.upcoming_sleep >= deadline

    retrying = tenacity.Retrying(
        retry=tenacity.retry_if_exception(lambda error: isinstance(error, BackendError) and error.retryable),
        wait=wait,
        stop=give_up,
        sleep=sleep or time.sleep,
        reraise=True,
    )
    headers = {"Accept": "application/json", **endpoint.headers}
    url = endpoint.url
    with httpx.Client(headers=headers, verify=tls(url), trust_env=not is_loopback(url)) as client:
        return retrying(lambda: _once(client, endpoint, body, deadline, clock))


def tls(url: str) -> ssl.SSLContext:
    """What a client needs to know of certificates for this URL."""
    # Reading the certificates takes longer than a local server's answer, which needs none: redirects aren't followed.
    return _certificates() if url.startswith("https:") else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@lru_cache(maxsize=1)
def _certificates() -> ssl.SSLContext:
    import httpx

    return httpx.create_ssl_context()


def _once(
    client: httpx.Client,
    endpoint: Endpoint,
    body: dict[str, object] | None,
    deadline: float,
    clock: Callable[[], float],
) -> Any:
    import httpx

    remaining = deadline - clock() if math.isfinite(deadline) else PATIENCE_S
    if remaining <= 0:
        raise _late(endpoint)
    method = "GET" if body is None else "POST"
    timeout = httpx.Timeout(remaining, connect=min(CONNECT_S, remaining))
    try:
        with client.stream(method, endpoint.url, json=body, timeout=timeout) as response:
            data = _read(response, endpoint, min(deadline, clock() + remaining), clock)
            if not response.is_success:
                raise _refusal(response, endpoint, data)
    except httpx.TimeoutException:
        raise _late(endpoint) from None
    except httpx.ConnectError as error:  # its request carries the key, so it is not chained
        raise _gone(
            endpoint, f"does not answer: {error}", OLLAMA_START if endpoint.ollama else START
        ) from None
    except httpx.HTTPError as error:
        raise _gone(endpoint, f"broke off: {error}", BROKE_OFF) from None
    return _parsed(endpoint, data)


def _read(response: httpx.Response, endpoint: Endpoint, deadline: float, clock: Callable[[], float]) -> bytes:
    data = bytearray()
    for part in response.iter_bytes():
        data += part
        if len(data) > MAX_REPLY_BYTES:
            raise BackendError(
                f"{endpoint.driver}: {endpoint.shown} sent more than {MAX_REPLY_BYTES} bytes", retryable=False
            )
        if clock() > deadline:  # httpx limits the wait for each part, not for all of them
            raise _late(endpoint)
    return bytes(data)


def _parsed(endpoint: Endpoint, data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        start = _shortened(data, endpoint)
        raise BackendError(
            f"{endpoint.driver}: {endpoint.shown} did not answer with JSON but with: {start}",
            hint="is there a proxy or a login page between, or another server at this address?",
            retryable=False,
        ) from None


def _refusal(response: httpx.Response, endpoint: Endpoint, data: bytes) -> RefusedError:
    status, detail = response.status_code, _shortened(data, endpoint)
    hints = {
        401: "check the key in the environment",
        403: "check the key in the environment, and what it may be used for",
        404: "check the url and the model in its config",
        429: "wait, or raise the limit at the provider",
    }
    moved = "the server moved; put its new address into its config" if response.is_redirect else ""
    return RefusedError(
        f"{endpoint.driver}: {endpoint.shown} answered {status}: {detail}",
        hint=moved or hints.get(status, "see what the server says"),
        status=status,
        detail=detail,
        retry_after=retry_after(response.headers.get("Retry-After")),
    )


def retry_after(value: str | None) -> float | None:
    """Seconds, from a number or an HTTP date (RFC 9110, 10.2.3); ``None`` when there is nothing to go by."""
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds()
        except (TypeError, ValueError):
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _shortened(data: bytes, endpoint: Endpoint) -> str:
    text = scrub(data[:65536].decode("utf-8", "replace"), endpoint.key)
    printable = "".join(char if char.isprintable() else " " for char in text)
    line = " ".join(printable.split())
    return line if len(line) <= MAX_DETAIL_CHARS else line[:MAX_DETAIL_CHARS] + "…"


def _gone(endpoint: Endpoint, what: str, hint: str) -> UnreachableError:
    return UnreachableError(
        scrub(f"{endpoint.driver}: {endpoint.shown} {what}", endpoint.key),
        hint=hint,
        code=None if endpoint.ollama else UNREACHABLE,
    )


def _late(endpoint: Endpoint) -> BackendTimeoutError:
    return BackendTimeoutError(
        f"{endpoint.driver}: {endpoint.shown} did not answer in time",
        hint="give it more time (deadline or timeout in its config), or less to read",
        code=None if endpoint.ollama else TIMEOUT,
    )
