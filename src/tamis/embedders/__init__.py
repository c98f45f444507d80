"""Embedders: texts in, vectors out (``ports.Embedder``), each named ``KEY`` or ``KEY:MODEL``.

Importing this is light: numpy, onnxruntime and tokenizers are imported when an embedder first embeds.
"""

from __future__ import annotations

# They register themselves.
from tamis.embedders import (
    bundled,
    fastembed_model,
    ollama_server,
    onnx_folder,
    openai_server,
    sentence_transformers_model,
)
from tamis.embedders.config import EmbedderConfig
from tamis.embedders.probe import agree, with_probe
from tamis.embedders.registry import get, keys, lasting, register

__all__ = [
    "EmbedderConfig",
    "agree",
    "bundled",
    "fastembed_model",
    "get",
    "keys",
    "lasting",
    "ollama_server",
    "onnx_folder",
    "openai_server",
    "register",
    "sentence_transformers_model",
    "with_probe",
]
