"""Make one ranking out of several: pure functions of ids and scores."""

from __future__ import annotations

from tamis.fusion.adaptive import adaptive
from tamis.fusion.convex import convex
from tamis.fusion.named import FUSIONS, Fusion
from tamis.fusion.ordering import best_first
from tamis.fusion.rrf import RRF_K, rrf
from tamis.fusion.sides import DEPTH, SAMPLE, Background, Sides, background

__all__ = [
    "DEPTH",
    "FUSIONS",
    "RRF_K",
    "SAMPLE",
    "Background",
    "Fusion",
    "Sides",
    "adaptive",
    "background",
    "best_first",
    "convex",
    "rrf",
]
