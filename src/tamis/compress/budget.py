"""Finding the most that fits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.errors import BudgetError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable


def check_budget(max_tokens: int) -> None:
    """Refuse what is no budget.

    Raises:
        InputError: ``max_tokens`` is not a whole number.
        BudgetError: It is below 1.
    """
    if isinstance(max_tokens, bool) or not isinstance(max_tokens, int):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"max_tokens is {max_tokens!r}", hint="give a whole number of tokens")
    if max_tokens < 1:
        raise BudgetError(f"max_tokens is {max_tokens}", hint="give at least a sentence's worth of tokens")


def too_small(max_tokens: int, smallest: int, tokenizer: str) -> BudgetError:
    """The error for a budget in which nothing useful fits; ``smallest`` is about what the smallest part needs."""
    return BudgetError(
        f"nothing fits in {max_tokens} tokens",
        hint=f"the smallest part that makes sense needs about {smallest} {tokenizer} tokens",
    )


def largest_fitting(most: int, fits: Callable[[int], bool]) -> int:
    """The largest n from 1 to ``most`` that fits, 0 if none does; assumes that whatever is below fits as well."""
    if most <= 0:
        return 0
    if fits(most):
        return most
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        if fits(middle):
            low = middle
        else:
            high = middle
    return low
