"""The drivers that come with tamis, one file each. None loads a model or a client before it is used."""

from __future__ import annotations

from importlib import import_module

MODULES = (
    "cohere",
    "cross_encoder",
    "http",
    "jina",
    "keyword",
    "lexical_boost",
    "llm_judge",
    "mmr",
    "noop",
    "path_specificity",
    "recency",
    "voyage",
)


def load() -> None:
    """Register them all."""
    for module in MODULES:
        import_module(f"{__name__}.{module}")
