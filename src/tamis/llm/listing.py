"""Which models a server has."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, cast

from tamis.errors import BackendError
from tamis.wire.post import get_json

if TYPE_CHECKING:
    from tamis.llm.tiers import Tier


def listed(tier: Tier, *, patience: float = 3.0) -> tuple[str, ...]:
    """Names of the models of the tier's server, sorted.

    Args:
        patience: Seconds that the question may take.

    Raises:
        ConfigError: The server's address is none.
        BackendError: It does not answer, or not with a list of models.
    """
    at = tier.endpoint()
    path, table, key = (
        ("/api/tags", "models", "name") if tier.backend == "ollama" else ("/models", "data", "id")
    )
    reply: Any = get_json(at.at(path, ollama=tier.backend == "ollama"), deadline=time.monotonic() + patience)
    try:
        return tuple(sorted(str(cast("dict[str, Any]", entry)[key]) for entry in reply[table]))
    except (KeyError, TypeError):
        raise BackendError(
            f"{at.shown} did not answer with a list of models",
            hint="check url and backend",
            retryable=False,
        ) from None


def has(names: tuple[str, ...], model: str) -> bool:
    """Whether a model is among the names, which Ollama gives with a tag."""
    return model in names or f"{model}:latest" in names
