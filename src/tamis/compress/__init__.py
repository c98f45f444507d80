"""Compress: the evidence that fits the budget."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tamis.compress.values import Compressed, CompressItem, Form, Level, Order, SourceText, Unit, UnitKind

if TYPE_CHECKING:
    from tamis.compress.compressing import compress, compress_stream
    from tamis.compress.refining import Refined, RefineStats, refine
    from tamis.compress.tokenizers import TokenCounter, counter

__all__ = [
    "CompressItem",
    "Compressed",
    "Form",
    "Level",
    "Order",
    "RefineStats",
    "Refined",
    "SourceText",
    "TokenCounter",
    "Unit",
    "UnitKind",
    "compress",
    "compress_stream",
    "counter",
    "refine",
]

_HOMES = {
    "RefineStats": "refining",
    "Refined": "refining",
    "TokenCounter": "tokenizers",
    "compress": "compressing",
    "compress_stream": "compressing",
    "counter": "tokenizers",
    "refine": "refining",
}


def __getattr__(name: str) -> object:
    """Load the rest when it is first asked for: the values alone are light."""
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


class _Callable(ModuleType):
    # As ``tamis.rerank``: to users ``tamis.compress`` is a function, ``tamis.compress(texts, 2000)``.
    def __call__(self, *arguments: Any, **options: Any) -> Compressed:
        from tamis.compress.compressing import compress

        return compress(*arguments, **options)


sys.modules[__name__].__class__ = _Callable
