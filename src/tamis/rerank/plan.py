"""What a reranking would do and cost, without doing it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tamis.errors import ConfigError, InputError, RerankError, TamisError

if TYPE_CHECKING:
    from tamis.ports import Reranker
    from tamis.rerank.settings import RerankSettings


@dataclass(frozen=True, slots=True)
class RerankPlan:
    """``estimated_cents`` supposes that no score is cached; ``None`` where the price is not known."""

    driver: str
    name: str
    version: str
    candidates: int
    output_top_n: int
    calls: int
    blend: float
    deadline_s: float
    needs_network: bool
    estimated_cents: float | None


def plan_rerank(driver: Reranker, settings: RerankSettings, found: int, query: str = "") -> RerankPlan:
    """What would be done with the ``found`` hits of a first stage.

    Raises:
        ConfigError: The driver's config makes no sense.
        RerankError: The driver, which may be anyone's, does not say what it would do.
    """
    candidates = min(found, settings.input_top_n) if settings.output_top_n else 0
    try:
        estimate = float(driver.estimate_cost_cents(candidates, query=query, config=settings.config))
        driver.model(settings.config)  # looks at the config
        blend = settings.blend
        if blend is None:
            blend = float(driver.blend_for(query, [], settings.config))
    except TamisError:
        raise
    except Exception as error:
        raise RerankError(f"{driver.key} failed: {type(error).__name__}: {error}") from error
    _check(driver, settings, query)
    return RerankPlan(
        driver=driver.key,
        name=driver.name,
        version=driver.version,
        candidates=candidates,
        output_top_n=min(settings.output_top_n, candidates),
        calls=-(-candidates // max(1, driver.capabilities.max_results)),
        blend=blend,
        deadline_s=settings.deadline_s,
        needs_network=driver.capabilities.needs_network,
        estimated_cents=estimate if math.isfinite(estimate) else None,
    )


def _check(driver: Reranker, settings: RerankSettings, query: str) -> None:
    """Have a driver that asks no server look at its config by asking it for nothing."""
    if driver.capabilities.needs_network:
        return
    try:
        driver.rerank(query, [], 0, settings.config)
    except (ConfigError, InputError):
        raise
    except Exception:  # noqa: BLE001 - what fails leaves the first order, which is no plan's matter
        return
