"""Which queries defaults were chosen on, and which were kept back."""

from __future__ import annotations

import hashlib

HALVES = ("all", "tuned", "held-back")


def in_half(half: str, query_id: str) -> bool:
    """Whether a query belongs to a half: by the parity of the SHA-256 of its id, so that the split never moves."""
    if half == "all":
        return True
    tuned = int(hashlib.sha256(query_id.encode()).hexdigest(), 16) % 2 == 0
    return tuned == (half == "tuned")
