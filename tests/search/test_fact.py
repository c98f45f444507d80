"""The boosts of fact mode, by hand from DESIGN section 7."""

from __future__ import annotations

import pytest

from tamis.search.fact import fact_factor


@pytest.mark.parametrize(
    ("query", "length", "expected"),
    [
        ("absent", 100, 1.15),
        ("absent", 200, 1.15),
        ("absent", 900, 1.075),
        ("absent", 1600, 1.0),
        ("absent", 5000, 1.0),
        ("xX", 100, 2.5 * 1.15),
        (" XX ", 1600, 2.5),
    ],
)
def test_an_exact_mention_counts_two_and_a_half_and_a_short_passage_up_to_fifteen_percent(
    query: str, length: int, expected: float
) -> None:
    assert fact_factor(query, "x" * length) == pytest.approx(expected)
