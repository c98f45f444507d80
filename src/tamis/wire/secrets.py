"""Keys come from the environment and go nowhere else."""

from __future__ import annotations

import os
import re

from tamis.errors import BackendError

# An author is no authorization.
SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL|COOKIE|BEARER|AUTH(?!OR(?!I))", re.IGNORECASE)
MASK = "***"
_USER_INFO = re.compile(r"(\b[a-z][a-z0-9+.-]*://)[^/@\s]+@", re.IGNORECASE)
_QUERY = re.compile(r"(\b[a-z][a-z0-9+.-]*://[^\s?#]*)[?#]\S*", re.IGNORECASE)
_SCHEME = re.compile(r"\b(Bearer|Basic)\s+\S+", re.IGNORECASE)
SHORTEST = 6
"""Characters; a shorter value is no secret, and would be found in ordinary words."""


def secret(variable: str, *, feature: str) -> str:
    """The value of an environment variable.

    Raises:
        BackendError: It is not set, or is nothing that can be sent; the hint says which one to set.
    """
    value = os.environ.get(variable, "").strip()
    if not value:
        raise BackendError(
            f"{feature} needs a key and {variable} is not set",
            hint=f"set the environment variable {variable}",
            retryable=False,
        )
    if not (value.isascii() and value.isprintable()):
        raise BackendError(
            f"{feature}: the key in {variable} has characters that no header can hold",
            hint=f"set {variable} to the key alone: one line of plain letters, digits and signs",
            retryable=False,
        )
    return value


def scrub(text: str, *also: str) -> str:
    """``text`` without the values of the environment's secrets, and without ``also``; ``***`` in their place.

    A server's error message may echo the key that it refused, and a library's may show it with escapes.
    """
    values = {*also, *(value for name, value in os.environ.items() if SECRET_NAME.search(name))}
    escaped = {value.encode("unicode_escape").decode() for value in values}
    for value in sorted(values | escaped, key=len, reverse=True):
        if len(value) >= SHORTEST:
            text = text.replace(value, MASK)
    return text


def masked(text: str) -> str:
    """``scrub``, and ``***`` for what a URL has before its host and after its path, and for credentials of HTTP."""
    text = _QUERY.sub(rf"\1?{MASK}", _USER_INFO.sub(rf"\1{MASK}@", text))
    return scrub(_SCHEME.sub(rf"\1 {MASK}", text))
