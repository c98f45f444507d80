"""Rerankers by key, at the configured prices."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tamis.config import Config
    from tamis.ports import Reranker


def driver(key: str, config: Config) -> Reranker:
    """The reranker of this key, for one search.

    Raises:
        RerankInputError: There is none.
        ConfigError: A configured price makes no sense.
    """
    from tamis.rerank import PRICES, create

    own = config.rerank.prices
    return create(key, prices=PRICES.overridden(own) if own else None)
