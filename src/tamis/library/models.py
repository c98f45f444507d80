"""The language models that the configuration names."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.config import Config
    from tamis.llm import Tier, Tiers
    from tamis.types import ModelUse


def tiers(config: Config) -> Tiers:
    """The tiers of ``[tiers]``; none is asked for anything."""
    from tamis.llm import Tiers

    return Tiers({tier.name: tier for tier in configured(config)}, concurrency=config.tiers.concurrency)


def configured(config: Config) -> list[Tier]:
    """The tiers that are configured, the largest first."""
    from tamis.llm import ORDER

    return [tier for name in ORDER if (tier := _tier(name, config))]


def _tier(name: str, config: Config) -> Tier | None:
    from msgspec.structs import asdict

    from tamis.llm import Tier

    found = getattr(config.tiers, name)
    return None if found is None else Tier(name=name, **asdict(found))


def together(uses: Sequence[ModelUse]) -> ModelUse | None:
    """Several calls as one: the first one's tier, or that of a fallback if there was one, and all tokens."""
    if not uses:
        return None
    shown = next((use for use in uses if use.fallback_from), uses[0])
    return replace(
        shown,
        tokens_in=sum(use.tokens_in for use in uses),
        tokens_out=sum(use.tokens_out for use in uses),
    )
