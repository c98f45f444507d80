"""Embedders: texts in, vectors out (``ports.Embedder``), each named ``KEY`` or ``KEY:MODEL``.

Importing this is light: numpy, onnxruntime and tokenizers are imported when an embedder first embeds.
"""

from __future__ import annotations

from tamis.embedders import bundled, onnx_folder  # they register themselves
from tamis.embedders.config import EmbedderConfig
from tamis.embedders.probe import agree, with_probe
from tamis.embedders.registry import get, keys, register

__all__ = ["EmbedderConfig", "agree", "bundled", "get", "keys", "onnx_folder", "register", "with_probe"]
