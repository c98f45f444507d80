"""Make one ranking out of several: pure functions of ids and scores."""

from __future__ import annotations

from tamis.fusion.convex import convex
from tamis.fusion.rrf import RRF_K, rrf

__all__ = ["RRF_K", "convex", "rrf"]
