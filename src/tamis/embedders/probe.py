"""The probe of a fingerprint: a vector of a fixed text, which tells apart two models behind one name."""

from __future__ import annotations

import base64
import math
import struct
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tamis.ports import Embedder
    from tamis.types import Fingerprint

PROBE_TEXT = "The coarse sieve passes first, the fine one after: 42 grains remain."
# Processors round differently and int8 kernels saturate differently, which moves a vector by a degree or two; another
# model's vector of the same text is at about a right angle, another version's of one model rarely above .9.
SAME = 0.98


def with_probe(embedder: Embedder) -> Fingerprint:
    """The embedder's fingerprint with its probe, made now: one text is embedded.

    Raises:
        EmbedError, BackendError: As ``embed_query``.
    """
    return replace(embedder.fingerprint, probe=encode([float(x) for x in embedder.embed_query(PROBE_TEXT)]))


def agree(prior: Fingerprint, current: Fingerprint) -> bool:
    """Whether vectors of both may meet in one ranking: equal but for probes, and probes that nearly coincide.

    A probe that is missing on either side does not count against it.
    """
    if prior != current:
        return False
    if not prior.probe or not current.probe:
        return True
    return _cosine(_decode(prior.probe), _decode(current.probe)) >= SAME


def encode(vector: list[float]) -> str:
    """A vector as text: its components scaled to signed bytes, in base64."""
    largest = max(map(abs, vector))
    steps = [round(127 * x / largest) for x in vector]
    return base64.b64encode(struct.pack(f"{len(steps)}b", *steps)).decode()


def _decode(probe: str) -> tuple[int, ...]:
    raw = base64.b64decode(probe)
    return struct.unpack(f"{len(raw)}b", raw)


def _cosine(a: tuple[int, ...], b: tuple[int, ...]) -> float:
    if len(a) != len(b):
        return 0.0
    lengths = math.sqrt(_inner(a, a) * _inner(b, b))
    return _inner(a, b) / lengths if lengths else 0.0


def _inner(a: tuple[int, ...], b: tuple[int, ...]) -> int:
    return sum(x * y for x, y in zip(a, b, strict=True))
