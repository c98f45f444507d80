"""What every shell wraps a result in, and what an error looks like outside the library."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from tamis.errors import TamisError
from tamis.render.payload import LIFTED, payload
from tamis.render.printable import whole_characters

if TYPE_CHECKING:
    from tamis.types import ModelUse

# Valid in a JSON string as they are, and still able to steer a terminal that shows it: DEL, C1, direction controls.
_STEERING = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
UNEXPECTED = "run it again with --debug and report the traceback that it prints"


def new_run_id() -> str:
    """Names one call among all."""
    return os.urandom(8).hex()


@dataclass(frozen=True, slots=True)
class Envelope:
    """A result and how it came about.

    ``result`` holds nothing but what JSON can say. ``tier_used`` and ``model``: of the model that took part, ``None`` when
    none did. ``backend``: who ran it; ``local`` is this process. ``fallback_from``, with ``model_requested``: the tier that was
    late and its model. ``residency``: where the server holds the model.
    """

    result: Any
    elapsed_ms: int
    tier_used: str | None = None
    model: str | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    backend: str = "local"
    warnings: tuple[str, ...] = ()
    run_id: str = field(default_factory=new_run_id)
    cost_cents: float | None = None
    degraded: bool = False
    degrade_reason: str | None = None
    model_requested: str | None = None
    fallback_from: str | None = None
    residency: str | None = None

    def data(self) -> dict[str, Any]:
        """The envelope as JSON has it: cost and degradation only where they apply."""
        shown: dict[str, Any] = {
            "result": self.result,
            "tier_used": self.tier_used,
            "model": self.model,
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "elapsed_ms": self.elapsed_ms,
            "backend": self.backend,
            "warnings": [whole_characters(text) for text in self.warnings],
            "run_id": self.run_id,
        }
        if self.cost_cents is not None:
            shown["cost_cents"] = self.cost_cents
        if self.degraded:
            shown |= {"degraded": True, "degrade_reason": self.degrade_reason}
        for name in ("model_requested", "fallback_from", "residency"):
            if (told := getattr(self, name)) is not None:
                shown[name] = told
        return shown


def wrap(value: object, elapsed_ms: float, *, text: bool = False) -> Envelope:
    """The envelope of a value that the library returned.

    Fields of the value that the envelope has as well (warnings, degraded …) move up to it.

    Args:
        elapsed_ms: What the whole call took, in milliseconds.
        text: Give hits their whole text.
    """
    lifted = {name: found for name in LIFTED if (found := getattr(value, name, None)) is not None}
    use: ModelUse | None = lifted.pop("model_use", None)
    if use is not None:
        lifted |= {field.name: getattr(use, field.name) for field in fields(use)}
    return Envelope(
        result=payload(value, text=text),
        elapsed_ms=round(elapsed_ms),
        **lifted,
    )


def error_data(error: BaseException) -> dict[str, Any]:
    """An error as every shell shows it; one that was not foreseen is ``INTERNAL``, and its text stays out of sight."""
    if not isinstance(error, TamisError):
        error = TamisError(f"unexpected {type(error).__name__}", hint=UNEXPECTED)
    return {
        "error": True,
        "code": error.code,
        "message": whole_characters(error.message),
        "hint": whole_characters(error.hint),
        "retryable": error.retryable,
    }


def encode(data: Any, *, indent: bool = False) -> bytes:
    """JSON in UTF-8, without a final newline. What could steer a terminal is escaped.

    Args:
        data: From ``Envelope.data``, ``error_data`` or ``payload``.
        indent: Lay it out for a reader.
    """
    import msgspec.json

    encoded = msgspec.json.encode(data)
    if indent:
        encoded = msgspec.json.format(encoded, indent=2)
    return _STEERING.sub(lambda match: f"\\u{ord(match.group()):04x}", encoded.decode()).encode()
