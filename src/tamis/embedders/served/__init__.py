"""Embedders behind a server: one way of asking, whatever the protocol."""

from __future__ import annotations

from tamis.embedders.served.embedder import ServedEmbedder
from tamis.embedders.served.faults import BusyError, TextError, TooLongError
from tamis.embedders.served.server import EmbeddingServer, Identity, Reply, ServedOptions

__all__ = [
    "BusyError",
    "EmbeddingServer",
    "Identity",
    "Reply",
    "ServedEmbedder",
    "ServedOptions",
    "TextError",
    "TooLongError",
]
