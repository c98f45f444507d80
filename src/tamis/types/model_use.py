"""What models did for a result."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelUse:
    """What language models, or the embedder, did for a result. Tokens are the servers' own counts, of all calls together.

    ``tier_used``: of a language model, or ``embed``. ``backend``: who ran it; ``local`` is this process.

    ``fallback_from``: the tier that was asked first and was late; ``model_requested``: its model. ``residency``: where
    Ollama says that the model is: ``gpu``, ``cpu`` or ``gpu+cpu``.
    """

    tier_used: str
    model: str
    backend: str
    tokens_in: int = 0
    tokens_out: int = 0
    model_requested: str | None = None
    fallback_from: str | None = None
    residency: str | None = None
