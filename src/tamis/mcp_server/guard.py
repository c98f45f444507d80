"""What a request over HTTP must show before the protocol sees it: a token, a host that is ours, no foreign origin.

A page in a browser can make the browser speak to loopback; a name of the attacker's that is pointed at loopback makes that
look same-origin (DNS rebinding). Host and Origin tell.
"""

from __future__ import annotations

import hmac
import ipaddress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.responses import JSONResponse

from tamis.errors import TamisError
from tamis.render import error_data

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

LOOPBACK_NAMES = frozenset(("localhost", "localhost.localdomain", "ip6-localhost"))
HEALTH = "/health"


@dataclass(frozen=True, slots=True)
class Guard:
    """Middleware around the whole application.

    ``token``: demanded as a bearer token, but for the health check; ``None`` for none. ``hosts``: names besides loopback's that
    requests may be addressed to; with a token also any IP address, since rebinding needs a name.
    """

    app: ASGIApp
    token: str | None = field(repr=False)
    hosts: frozenset[str] = frozenset()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]
        }
        refusal = self._refusal(scope["path"], headers)
        answer = self.app if refusal is None else refusal
        await answer(scope, receive, send)

    def _refusal(self, path: str, headers: dict[str, str]) -> JSONResponse | None:
        if not self._ours(_host(f"//{headers.get('host', '')}")):
            return _refused(
                421, "HOST_NOT_ALLOWED", "the Host header names another machine", "use --allow-host NAME"
            )
        origin = headers.get("origin")
        if origin is not None and not self._ours(_host(origin)):
            return _refused(
                403,
                "ORIGIN_NOT_ALLOWED",
                "requests from this origin are not answered",
                "use --allow-host NAME",
            )
        if path != HEALTH and not self._knows_token(headers.get("authorization", "")):
            hint = "send Authorization: Bearer and the value of TAMIS_TOKEN"
            refused = _refused(401, "UNAUTHORIZED", "the bearer token is missing or wrong", hint)
            refused.headers["WWW-Authenticate"] = 'Bearer realm="tamis"'
            return refused
        return None

    def _knows_token(self, authorization: str) -> bool:
        if self.token is None:
            return True
        scheme, _, given = authorization.partition(" ")
        # In constant time, whatever the beginning has right.
        same = hmac.compare_digest(given.strip().encode("latin-1", "replace"), self.token.encode())
        return same and scheme.lower() == "bearer"

    def _ours(self, host: str) -> bool:
        if is_loopback(host) or host in self.hosts:
            return True
        return self.token is not None and _address(host) is not None


def is_loopback(host: str) -> bool:
    """Whether only this machine is reached under this name or address."""
    address = _address(host)
    return host in LOOPBACK_NAMES if address is None else address.is_loopback


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _host(url: str) -> str:
    """The host name in a URL, lower case, without port and brackets; empty where there is none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _refused(status: int, code: str, message: str, hint: str) -> JSONResponse:
    return JSONResponse(error_data(TamisError(message, hint=hint, code=code)), status_code=status)
