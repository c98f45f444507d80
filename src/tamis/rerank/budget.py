"""Cents that one search may spend on reranking."""

from __future__ import annotations

import math
import threading

from tamis.errors import InputError


class BudgetGuard:
    """Answers before a paid call whether it may be made, and counts what was charged. Safe from several threads.

    Args:
        budget_cents: What may be spent; ``None`` is no limit.

    Raises:
        InputError: The budget is negative or not a finite number.
    """

    def __init__(self, budget_cents: float | None = None) -> None:
        if budget_cents is not None and not (math.isfinite(budget_cents) and budget_cents >= 0):
            raise InputError(f"a budget of {budget_cents:g} cents", hint="use a finite number, 0 or more")
        self.budget_cents = budget_cents
        self._spent = 0.0
        self._lock = threading.Lock()

    @property
    def spent_cents(self) -> float:
        return self._spent

    @property
    def remaining_cents(self) -> float:
        """What is left, never below 0; infinite without a limit."""
        return math.inf if self.budget_cents is None else max(0.0, self.budget_cents - self._spent)

    def may_spend(self, estimate_cents: float) -> bool:
        """Whether what is left covers the estimate; an estimate below 0 counts as 0, one that is no number never fits."""
        if self.budget_cents is None:
            return True
        return not math.isnan(estimate_cents) and self.remaining_cents >= max(0.0, estimate_cents)

    def record(self, cents: float) -> None:
        """Count a charge; amounts that are not finite or not above 0 are passed over."""
        if math.isfinite(cents) and cents > 0:
            with self._lock:
                self._spent += cents
