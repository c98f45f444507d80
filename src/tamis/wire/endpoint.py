"""Where a request goes, and the key that may go with it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from tamis.errors import ConfigError
from tamis.wire.secrets import secret

if TYPE_CHECKING:
    from collections.abc import Sequence

ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}  # noqa: S104
"""What a server may be told to listen on, and where it is then found."""


def named(url: str) -> str:
    """The URL as it may be written down: a query string, which may hold a key, as a short digest; nothing for no URL."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    digest = f"?{blake2b(parts.query.encode(), digest_size=4).hexdigest()}" if parts.query else ""
    return f"{parts.scheme}://{parts.netloc}{parts.path}{digest}"


def below(url: str, path: str) -> str:
    """The URL of ``path`` below this one, with the same query string."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(path=parts.path.rstrip("/") + path)) if path else url


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A URL and the key for it; the key shows in no ``repr``.

    ``driver`` is who asks, for messages. ``ollama``: an Ollama server is asked, whose errors have codes and hints of their own.
    """

    driver: str
    url: str
    key: str = field(default="", repr=False)
    ollama: bool = False

    def at(self, path: str, *, ollama: bool = False) -> Endpoint:
        """The endpoint of a path below this one, for the same key."""
        return replace(self, url=below(self.url, path), ollama=ollama)

    @property
    def shown(self) -> str:
        """The URL as it may appear in a message: without a query string."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}{parts.path}"

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}


def checked_url(driver: str, url: str) -> str:
    """``url`` without a slash at its end.

    Raises:
        ConfigError: It is not an http or https URL, or has a password in it.
    """
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        raise ConfigError(f"{driver}: url is not a URL") from None
    if not usable:
        raise ConfigError(f"{driver}: url must begin with http:// or https:// and name a host")
    if "@" in parts.netloc:
        raise ConfigError(
            f"{driver}: a user or password does not belong in a URL",
            hint="put the key into an environment variable and name it with key_env",
        )
    return url.rstrip("/")


def endpoint(
    driver: str, url: str, *, own_url: str = "", own_key_envs: Sequence[str] = (), key_env: str = ""
) -> Endpoint:
    """The endpoint at ``url``, with the key from the environment variable ``key_env`` when one is named.

    Where none is named, the first of the provider's variables ``own_key_envs`` that is set is used, for the host of the
    provider's ``own_url`` alone: a key is never sent to another host unasked.

    Raises:
        ConfigError: The URL is none.
        BackendError: The variable is not set.
    """
    address = checked_url(driver, url)
    if key_env:
        return Endpoint(driver, address, secret(key_env, feature=driver))
    if own_key_envs and _origin(address) == _origin(own_url):
        variable = next((name for name in own_key_envs if os.environ.get(name)), own_key_envs[0])
        return Endpoint(driver, address, secret(variable, feature=driver))
    return Endpoint(driver, address)


def ollama_url() -> str:
    """Ollama's address from ``OLLAMA_HOST``, which may lack scheme and port, else its default.

    Raises:
        ConfigError: The variable holds no address.
    """
    host = os.environ.get("OLLAMA_HOST", "").strip() or "127.0.0.1"
    parts = urlsplit(host if "://" in host else f"http://{host}")
    usual_port = 11434 if "://" not in host else 443 if parts.scheme == "https" else 80
    name = parts.hostname or "127.0.0.1"
    name = ANY_ADDRESS.get(name, f"[{name}]" if ":" in name else name)
    try:
        return f"{parts.scheme}://{name}:{parts.port or usual_port}{parts.path.rstrip('/')}"
    except ValueError:
        raise ConfigError("OLLAMA_HOST is not an address", hint="write it as host:port") from None


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc
