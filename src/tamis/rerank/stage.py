"""The rerank stage: the fused list goes in, the reranked top comes out, and never a worse one without a word.

A driver that fails, is late, costs more than is left or gives nonsense leaves the first stage's order, with a warning
and ``degraded``. Input that makes no sense is an error instead.
"""

from __future__ import annotations

import math
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tamis.errors import ConfigError, InputError, RerankError, TamisError
from tamis.rerank.blend import blended, is_ranking
from tamis.rerank.budget import BudgetGuard
from tamis.rerank.deadline_run import LateError, run_within
from tamis.rerank.ledger import Charge
from tamis.rerank.scoring import Scoring
from tamis.wire.secrets import scrub

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tamis.ports import Reranker
    from tamis.rerank.cache import ScoreCache
    from tamis.rerank.ledger import CostLedger
    from tamis.rerank.settings import RerankSettings
    from tamis.types import Candidate


# A driver is told to end so much before it is given up.
MARGIN_S, MARGIN_SHARE = 0.5, 0.1


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a candidate came to stand. ``position`` is its place in the input, from 0; ``rank`` counts from 1.

    ``score`` is what the list is sorted by, ``driver_score`` what the driver said; both ``None`` without a reranking, or for
    a candidate that the driver passed over.
    """

    position: int
    rank: int
    score: float | None = None
    driver_score: float | None = None


@dataclass(frozen=True, slots=True)
class RerankReport:
    """What the stage did. ``cached`` of the ``candidates`` cost nothing, since their scores were known.

    ``estimated_cents`` is for the others, ``None`` where no price is known; ``charged_cents`` what the driver reported
    before it answered.
    """

    driver: str
    version: str
    candidates: int
    cached: int = 0
    estimated_cents: float | None = 0.0
    charged_cents: float = 0.0
    blend: float = 0.0
    elapsed_ms: int = 0
    degraded: bool = False
    degrade_reason: str | None = None
    warnings: tuple[str, ...] = ()


def _no_cache(position: int) -> ScoreCache | None:
    del position
    return None


@dataclass(frozen=True, slots=True)
class StageContext:
    """What the stage works with besides the candidates.

    ``budget``: the search's guard. ``ledger``: where charges are written down, under ``scope``. ``cache_of``: the cache for
    the candidate at a position, ``None`` for none.
    """

    budget: BudgetGuard | None = None
    ledger: CostLedger | None = None
    scope: str = ""
    cache_of: Callable[[int], ScoreCache | None] = _no_cache


def rerank_candidates(
    query: str,
    candidates: Sequence[Candidate],
    driver: Reranker,
    settings: RerankSettings,
    context: StageContext | None = None,
) -> tuple[tuple[Placed, ...], RerankReport]:
    """Rerank the first ``input_top_n`` candidates and place the best ``output_top_n``.

    Raises:
        ConfigError: The driver's config makes no sense.
        InputError: The driver says that the input makes no sense.
    """
    entered = candidates[: settings.input_top_n]
    if not entered or settings.output_top_n == 0:
        return (), RerankReport(driver.key, driver.version, len(entered))
    return _Run(query, entered, driver, settings, context or StageContext()).run()


class _Run:
    def __init__(
        self,
        query: str,
        entered: Sequence[Candidate],
        driver: Reranker,
        settings: RerankSettings,
        context: StageContext,
    ) -> None:
        self._started = time.monotonic()
        self._driver = driver
        self._settings = settings
        self._context = context
        self._entered = entered
        self._guard = context.budget or BudgetGuard()
        self._scoring = Scoring(driver, query, entered, settings.config, context.cache_of)
        self._charged = 0.0
        self._lock = threading.Lock()
        self._estimate = 0.0
        self._cached = 0
        self._blend = 0.0
        driver.cost_reporter = self._charge

    def run(self) -> tuple[tuple[Placed, ...], RerankReport]:
        reason = self._score()
        if reason is not None:
            placed = [Placed(position, position + 1) for position in range(len(self._entered))]
        else:
            placed = self._place()
        return tuple(placed[: self._settings.output_top_n]), self._report(reason)

    def _score(self) -> str | None:
        """Why there are no scores; ``None`` when there are."""
        scoring, driver = self._scoring, self._driver
        try:
            scoring.look_up()
            self._cached = len(self._entered) - len(scoring.missing)
            self._blend = self._share()
            if not scoring.missing or self._blend == 1:
                return None
            self._estimate = self._estimated(scoring.missing)
            if not self._guard.may_spend(self._estimate):
                return self._over_budget()
            prepare = getattr(driver, "prepare", None)
            if prepare is not None:
                prepare(self._settings.config)
            # A driver that keeps an eye on the time can still answer with what it has.
            limit = self._settings.deadline_s
            driver.deadline = time.monotonic() + limit - min(MARGIN_S, MARGIN_SHARE * limit)
            run_within(limit, lambda: scoring.ask(self._may_go_on))
        except (ConfigError, InputError):
            raise
        except LateError:
            return f"{driver.key} did not answer within {self._settings.deadline_s:g} s"
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - a driver may be anyone's, and must take neither search nor process with it
            return _reason(driver.key, error)
        return None

    def _share(self) -> float:
        """How much the first stage counts: nothing where there was none."""
        if not is_ranking([candidate.score for candidate in self._entered]):
            return 0.0
        if self._settings.blend is not None:
            return self._settings.blend
        share = self._driver.blend_for(self._scoring.query, self._scoring.texts, self._settings.config)
        if not 0.0 <= share <= 1.0:
            raise RerankError(f"a blend of {share} is no share of 0 to 1")
        return share

    def _estimated(self, positions: Sequence[int]) -> float:
        return float(
            self._driver.estimate_cost_cents(
                len(positions),
                query=self._scoring.query,
                texts=[self._scoring.texts[position] for position in positions],
                config=self._settings.config,
            )
        )

    def _may_go_on(self, positions: Sequence[int]) -> bool:
        """Whether the budget, less what was charged by now, has room for these as well."""
        if self._guard.may_spend(self._estimated(positions)):
            return True
        scored, of = len(self._scoring.scores), len(self._entered)
        self._driver.warnings.append(
            f"{self._driver.key} stopped at the budget with {scored} of {of} passages scored; the others follow"
        )
        return False

    def _over_budget(self) -> str:
        cost = (
            "what it costs is not known"
            if math.isinf(self._estimate)
            else f"about {self._estimate:.3g} cents"
        )
        return (
            f"{self._driver.key} is over the budget: {cost}, and {self._guard.remaining_cents:.3g} are left"
        )

    def _charge(self, cents: float) -> None:
        if not (math.isfinite(cents) and cents > 0):
            return
        with self._lock:
            self._charged += cents
        self._guard.record(cents)
        if self._context.ledger is None:
            return
        charge = Charge(
            self._driver.key, self._driver.model(self._settings.config), cents, self._context.scope
        )
        try:
            self._context.ledger.record(charge)
        except TamisError as error:
            self._driver.warnings.append(f"{error.message}: {cents:.3g} cents are not written down")

    def _place(self) -> list[Placed]:
        scores = self._scoring.scores if self._blend < 1 else {}
        scored = [i for i, candidate in enumerate(self._entered) if candidate.id in scores]
        first = [self._entered[i].score for i in scored]
        given = [scores[self._entered[i].id] for i in scored]
        span = self._driver.capabilities.score_span
        final = dict(zip(scored, blended(first, given, self._blend, span), strict=True))
        best = sorted(scored, key=lambda position: -final[position])
        others = [position for position in range(len(self._entered)) if position not in final]
        return [
            Placed(position, rank, final.get(position), scores.get(self._entered[position].id))
            for rank, position in enumerate([*best, *others], 1)
        ]

    def _report(self, reason: str | None) -> RerankReport:
        warnings = [f"not reranked: {reason}"] if reason else []
        caches = map(self._context.cache_of, range(len(self._entered)))
        troubles = {cache.trouble for cache in caches if cache is not None and cache.trouble}
        return RerankReport(
            driver=self._driver.key,
            version=self._driver.version,
            candidates=len(self._entered),
            cached=self._cached,
            estimated_cents=self._estimate if math.isfinite(self._estimate) else None,
            charged_cents=self._charged,
            blend=0.0 if reason else self._blend,
            elapsed_ms=round((time.monotonic() - self._started) * 1000),
            degraded=reason is not None,
            degrade_reason=reason,
            warnings=(*warnings, *self._driver.warnings, *sorted(troubles)),
        )


def _reason(key: str, error: BaseException) -> str:
    if isinstance(error, TamisError):
        hint = f" ({error.hint})" if error.hint else ""
        text = error.message if error.message.startswith(key) else f"{key}: {error.message}"
        return scrub(text + hint)
    return scrub(f"{key} failed: {type(error).__name__}: {error}")
