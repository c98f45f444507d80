"""The drivers there are, built in and from other packages, and how one is made."""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING, cast

from tamis.errors import RerankError, RerankInputError
from tamis.rerank import drivers
from tamis.rerank.registry import GROUP, registered
from tamis.suggestions import suggestion
from tamis.types import RerankCapabilities
from tamis.wire.secrets import scrub

if TYPE_CHECKING:
    from collections.abc import Callable

    from tamis.ports import Reranker
    from tamis.rerank.prices import PriceTable

KINDS = {
    "name": str,
    "version": str,
    "capabilities": RerankCapabilities,
    "blend": (int, float),
    "warnings": list,
}
REQUIRED = (*KINDS, "model", "estimate_cost_cents", "candidate_text", "blend_for", "rerank")


@dataclass(frozen=True, slots=True)
class DriverInfo:
    """One line of the list of drivers.

    ``installed``: everything that the driver needs on this machine is there (keys and servers are not looked at).
    ``error``: why it can't be used, else ``None``. ``package``: the distribution that brings it.
    """

    key: str
    name: str
    version: str
    has_cost: bool
    installed: bool
    error: str | None = None
    package: str = "tamis"


def available() -> tuple[DriverInfo, ...]:
    """Every driver, sorted by name; a broken plug-in is there with its error."""
    built_in = _built_in()
    found = [_describe(key, make, "tamis") for key, make in built_in.items()]
    for point in _entry_points():
        package = point.dist.name if point.dist else ""
        if point.name in built_in:
            taken = f"the key {point.name} belongs to tamis itself"
            found.append(DriverInfo(point.name, point.name, "", False, True, taken, package))
        else:
            found.append(_describe(point.name, _loader(point), package))
    return tuple(sorted(found, key=lambda info: (info.name.casefold(), info.key, info.package)))


def create(key: str, *, prices: PriceTable | None = None) -> Reranker:
    """A new instance of the driver called ``key``; only that driver's package is loaded.

    ``prices`` replaces the price table of the drivers that go by one.

    Raises:
        RerankInputError: No driver has this key; the hint names the nearest.
        RerankError: A plug-in's driver does not load.
    """
    make = _built_in().get(key)
    if make is None:
        make = next((_loader(point) for point in _entry_points() if point.name == key), None)
    if make is None:
        raise _unknown(key)
    try:
        driver = _made(key, make)
    except (Exception, SystemExit) as error:
        raise RerankError(
            f"the reranker {key} does not load: {_reason(error)}",
            hint="see `tamis rerankers`; repair or remove the package that brings it",
        ) from error
    if prices is not None and hasattr(driver, "prices"):
        driver.prices = prices  # pyright: ignore[reportAttributeAccessIssue]
    return driver


def _built_in() -> dict[str, Callable[[], Reranker]]:
    drivers.load()
    return cast("dict[str, Callable[[], Reranker]]", registered())


def _entry_points() -> list[metadata.EntryPoint]:
    unique = {(point.name, point.value): point for point in metadata.entry_points(group=GROUP)}
    return sorted(unique.values(), key=lambda point: (point.name, point.value))


def _loader(point: metadata.EntryPoint) -> Callable[[], Reranker]:
    def load() -> Reranker:
        return point.load()()

    return load


def _made(key: str, make: Callable[[], Reranker]) -> Reranker:
    driver = make()
    lacking = [name for name in REQUIRED if not hasattr(driver, name)]
    if lacking:
        raise TypeError(f"{type(driver).__qualname__} lacks {', '.join(lacking)}")
    if driver.key != key:
        raise ValueError(f"it is announced as {key} but its key is {driver.key}")
    for name, kind in KINDS.items():
        if not isinstance(getattr(driver, name), kind):
            raise TypeError(f"{type(driver).__qualname__}.{name} is {getattr(driver, name)!r}")
    driver.cost_reporter, driver.deadline = None, math.inf  # the stage sets both
    return driver


def _describe(key: str, make: Callable[[], Reranker], package: str) -> DriverInfo:
    try:
        driver = _made(key, make)
        has_cost = driver.estimate_cost_cents(1) > 0
        missing = cast("Callable[[], str | None]", getattr(driver, "missing", lambda: None))()
        return DriverInfo(key, driver.name, driver.version, has_cost, missing is None, missing, package)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a broken plug-in must not take the list with it
        return DriverInfo(key, key, "", False, True, _reason(error), package)


def _reason(error: BaseException) -> str:
    return scrub(f"{type(error).__name__}: {error}".strip().removesuffix(":"))


def _unknown(key: str) -> RerankInputError:
    known = sorted({*_built_in(), *(point.name for point in _entry_points())})
    return RerankInputError(f"there is no reranker {key}", hint=suggestion(key, known))
