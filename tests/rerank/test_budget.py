"""What one search may spend."""

from __future__ import annotations

import math
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.errors import InputError
from tamis.rerank import BudgetGuard


def test_without_a_budget_everything_may_be_spent():
    guard = BudgetGuard()
    assert guard.may_spend(1e9)
    assert guard.may_spend(math.inf)
    assert guard.remaining_cents == math.inf


def test_what_fits_exactly_may_be_spent_and_more_may_not():
    guard = BudgetGuard(1.0)
    guard.record(0.4)
    assert guard.may_spend(0.6)
    assert not guard.may_spend(0.61)


def test_an_estimate_below_zero_counts_as_zero():
    guard = BudgetGuard(0.0)
    assert guard.may_spend(-5)
    assert guard.may_spend(0)
    assert not guard.may_spend(0.001)


def test_an_estimate_that_is_no_number_or_unknown_fits_no_budget():
    assert not BudgetGuard(100).may_spend(math.nan)
    assert not BudgetGuard(100).may_spend(math.inf)


@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf, -1.0, 0.0])
def test_only_finite_amounts_above_zero_are_recorded(odd):
    guard = BudgetGuard(1.0)
    guard.record(odd)
    assert guard.spent_cents == 0.0


@pytest.mark.parametrize("odd", [math.nan, math.inf, -1.0])
def test_a_budget_is_a_finite_number_of_cents(odd):
    with pytest.raises(InputError, match="budget"):
        BudgetGuard(odd)


@given(st.floats(0, 100), st.lists(st.floats(0, 50), max_size=8))
def test_what_remains_never_falls_below_zero(budget, charges):
    guard = BudgetGuard(budget)
    for cents in charges:
        guard.record(cents)
        assert 0 <= guard.remaining_cents <= budget
    assert guard.spent_cents == pytest.approx(sum(charges))


def test_threads_lose_no_charge():
    guard = BudgetGuard(1e6)
    threads = [threading.Thread(target=lambda: [guard.record(1.0) for _ in range(500)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert guard.spent_cents == 2000.0
