"""Embedders: texts in, vectors out (``ports.Embedder``), each named ``KEY`` or ``KEY:MODEL``.

Importing this is light: a driver is imported when it is asked for, and numpy, onnxruntime and tokenizers when an embedder first
embeds.
"""

from tamis.embedders.config import EmbedderConfig
from tamis.embedders.probe import agree, with_probe
from tamis.embedders.registry import get, keys, lasting, register

__all__ = ["EmbedderConfig", "agree", "get", "keys", "lasting", "register", "with_probe"]
