"""Where a driver's key leads to: a class registered by decorator, or an entry point of another package."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from tamis.rerank.base import BaseReranker

    Driver = TypeVar("Driver", bound=type[BaseReranker])

GROUP = "tamis.rerankers"
"""Entry point group in which other packages name their drivers, ``key = module:Class``."""

_registered: dict[str, type[BaseReranker]] = {}


def register(driver: Driver) -> Driver:
    """Class decorator: make the driver known under its ``key``.

    Raises:
        ValueError: The class has no key, or another class holds it.
    """
    key = driver.key
    if not key:
        raise ValueError(f"{driver.__qualname__} has no key")
    holder = _registered.setdefault(key, driver)
    if holder is not driver and (holder.__module__, holder.__qualname__) != (
        driver.__module__,
        driver.__qualname__,
    ):
        raise ValueError(f"the key {key} belongs to {holder.__module__}.{holder.__qualname__}")
    _registered[key] = driver
    return driver


def registered() -> dict[str, type[BaseReranker]]:
    """The classes registered so far, by key."""
    return dict(_registered)
