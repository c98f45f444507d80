"""What hosted models cost. The one table; a user's own prices go over it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from tamis.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

SNAPSHOT = re.compile(r"-\d{4}-\d{2}-\d{2}$")
"""The date that providers append to a model's name to pin it; the price is the model's."""


@dataclass(frozen=True, slots=True)
class Price:
    """Cents, by search or by a million tokens.

    ``cents_per_search`` pays for up to ``documents_per_search`` documents.
    """

    cents_per_search: float = 0.0
    documents_per_search: int = 100
    cents_per_million_in: float = 0.0
    cents_per_million_out: float = 0.0

    def of_search(self, documents: int) -> float:
        return self.cents_per_search * math.ceil(documents / self.documents_per_search)

    def of_tokens(self, tokens_in: float, tokens_out: float = 0.0) -> float:
        return (tokens_in * self.cents_per_million_in + tokens_out * self.cents_per_million_out) / 1_000_000


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices by ``provider/model``; ``as_of`` is the day on which they were looked up (ISO 8601)."""

    as_of: str
    prices: Mapping[str, Price]

    def of(self, provider: str, model: str) -> Price | None:
        """The price of a model, or of a dated snapshot of it; ``None`` when it isn't known."""
        name = f"{provider}/{model}"
        return self.prices.get(name) or self.prices.get(SNAPSHOT.sub("", name))

    def overridden(self, own: Mapping[str, Mapping[str, float]], *, as_of: str | None = None) -> PriceTable:
        """This table with ``own`` prices over it: ``{"provider/model": {"cents_per_search": 0.2}}``.

        Raises:
            ConfigError: A field is not one of ``Price``'s, or a value is no amount.
        """
        known = {field.name for field in fields(Price)}
        merged = dict(self.prices)
        for name, values in own.items():
            for field, value in values.items():
                if field not in known:
                    raise ConfigError(
                        f"prices: {name} has no {field}", hint=f"it takes: {', '.join(sorted(known))}"
                    )
                lowest = 1 if field == "documents_per_search" else 0
                if isinstance(value, bool) or not math.isfinite(value) or value < lowest:
                    raise ConfigError(f"prices: {field} of {name} must be a number, {lowest} or more")
            merged[name] = replace(merged.get(name, Price()), **values)
        return PriceTable(as_of or self.as_of, MappingProxyType(merged))


PRICES = PriceTable(
    as_of="2026-11-30",
    prices=MappingProxyType(
        {
            "cohere/rerank-v4.0-pro": Price(cents_per_search=0.25),
            "cohere/rerank-v4.0-fast": Price(cents_per_search=0.2),
            "cohere/rerank-v3.5": Price(cents_per_search=0.2),
            "cohere/rerank-english-v3.0": Price(cents_per_search=0.2),
            "cohere/rerank-multilingual-v3.0": Price(cents_per_search=0.2),
            "voyage/rerank-2.5": Price(cents_per_million_in=5),
            "voyage/rerank-2.5-lite": Price(cents_per_million_in=2),
            "voyage/rerank-2": Price(cents_per_million_in=5),
            "voyage/rerank-2-lite": Price(cents_per_million_in=2),
            "jina/jina-reranker-v2-base-multilingual": Price(cents_per_million_in=5),
            "jina/jina-reranker-m0": Price(cents_per_million_in=5),
            "jina/jina-reranker-v3": Price(cents_per_million_in=5),
            "openai/gpt-4o-mini": Price(cents_per_million_in=15, cents_per_million_out=60),
            "openai/gpt-4o": Price(cents_per_million_in=250, cents_per_million_out=1000),
            "openai/gpt-4.1-mini": Price(cents_per_million_in=40, cents_per_million_out=160),
            "openai/gpt-4.1": Price(cents_per_million_in=200, cents_per_million_out=800),
        }
    ),
)
