from __future__ import annotations

from itertools import product
from math import comb

import pytest

from tamis.errors import InputError
from tamis.evaluate import Evaluation, Measure, QueryOutcome, compare

MEASURE = Measure("nDCG", 10)


def run(*values: float, name: str = "run", times: tuple[float, ...] = (), ids: str = "") -> Evaluation:
    return Evaluation(
        name,
        (MEASURE,),
        tuple(
            QueryOutcome(
                id=f"{ids}{place}",
                query=f"query {place}",
                values={MEASURE: value},
                found_ranks=(),
                relevant=1,
                results=(),
                latency_ms=times[place] if times else 1.0,
            )
            for place, value in enumerate(values)
        ),
    )


def test_two_equal_runs_do_not_differ() -> None:
    comparison = compare(run(0.3, 0.9), run(0.3, 0.9), MEASURE)
    assert (comparison.difference, comparison.p_value, comparison.interval) == (0, 1, (0, 0))
    assert (comparison.wins, comparison.losses, comparison.ties) == (0, 0, 2)


def test_p_is_that_of_all_sign_flips() -> None:
    before, after = [0.1, 0.5, 0.2, 0.9, 0.4, 0.3, 0.8], [0.4, 0.6, 0.1, 0.95, 0.8, 0.35, 0.85]
    differences = [new - old for old, new in zip(before, after, strict=True)]
    observed = abs(sum(differences))
    flips = list(product((-1, 1), repeat=len(differences)))
    extreme = sum(
        abs(sum(sign * value for sign, value in zip(signs, differences, strict=True))) >= observed - 1e-9
        for signs in flips
    )
    assert compare(run(*before), run(*after), MEASURE).p_value == pytest.approx(
        extreme / len(flips), abs=0.015
    )


def test_ten_wins_of_one_size_have_the_p_of_ten_heads() -> None:
    p = compare(run(*[0.0] * 10), run(*[0.1] * 10), MEASURE).p_value
    assert p == pytest.approx(2 * comb(10, 10) / 2**10, abs=0.002)


def test_the_interval_of_a_constant_difference_is_that_difference() -> None:
    comparison = compare(run(0.1, 0.2, 0.3), run(0.2, 0.3, 0.4), MEASURE)
    assert comparison.difference == pytest.approx(0.1)
    assert comparison.interval == pytest.approx((0.1, 0.1))


def test_swapping_the_runs_turns_the_sign_and_keeps_p() -> None:
    a, b = run(0.1, 0.7, 0.3, 0.5), run(0.4, 0.6, 0.35, 0.9)
    there, back = compare(a, b, MEASURE), compare(b, a, MEASURE)
    assert there.difference == pytest.approx(-back.difference)
    assert there.p_value == back.p_value
    assert (there.wins, there.losses) == (back.losses, back.wins) == (3, 1)


def test_runs_of_different_queries_are_not_compared() -> None:
    with pytest.raises(InputError):
        compare(run(0.1), run(0.1, ids="other"), MEASURE)


def test_a_measure_that_was_not_computed_is_refused() -> None:
    with pytest.raises(InputError):
        compare(run(0.1), run(0.1), Measure("MAP"))


def test_latency_quantiles_are_those_of_the_sorted_times() -> None:
    evaluation = run(*[0.0] * 5, times=(5.0, 1.0, 4.0, 2.0, 3.0))
    assert (evaluation.latency_ms(0.5), evaluation.latency_ms(0.95)) == (3.0, 5.0)


def test_the_worst_queries_come_worst_first() -> None:
    assert [outcome.id for outcome in run(0.5, 0.1, 0.9, 0.1).worst(MEASURE, 3)] == ["1", "3", "0"]
