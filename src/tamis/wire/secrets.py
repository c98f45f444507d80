"""Keys come from the environment and go nowhere else."""

from __future__ import annotations

import os
import re

from tamis.errors import BackendError

SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)
SHORTEST = 6
"""Characters; a shorter value is no secret, and would be found in ordinary words."""


def secret(variable: str, *, feature: str) -> str:
    """The value of an environment variable.

    Raises:
        BackendError: It is not set; the hint says which one to set.
    """
    value = os.environ.get(variable, "").strip()
    if not value:
        raise BackendError(
            f"{feature} needs a key and {variable} is not set",
            hint=f"set the environment variable {variable}",
            retryable=False,
        )
    return value


def scrub(text: str, *also: str) -> str:
    """``text`` without the values of the environment's secrets, and without ``also``; ``***`` in their place.

    A server's error message may echo the key that it refused.
    """
    values = [value for name, value in os.environ.items() if SECRET_NAME.search(name)]
    for value in sorted({*values, *also}, key=len, reverse=True):
        if len(value) >= SHORTEST:
            text = text.replace(value, "***")
    return text
