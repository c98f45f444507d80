from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.errors import InputError
from tamis.fusion import RRF_K, rrf

rankings = st.lists(
    st.lists(st.integers(0, 30), unique=True, max_size=15).map(
        lambda ids: [(key, 1.0 / (1 + key)) for key in ids]
    ),
    max_size=4,
)
weights = st.floats(0.01, 100)


def test_scores_are_those_of_the_paper() -> None:
    fused = rrf([[("a", 9.0), ("b", 8.0)], [("b", 0.7), ("c", 0.6)]])
    assert RRF_K == 60
    assert [key for key, _ in fused] == ["b", "a", "c"]
    assert dict(fused) == pytest.approx(
        {
            "a": float(Fraction(1, 61)),
            "b": float(Fraction(1, 62) + Fraction(1, 61)),
            "c": float(Fraction(1, 62)),
        }
    )


def test_weights_multiply_a_rankings_share() -> None:
    assert dict(rrf([[("a", 0.0)], [("b", 0.0)]], [3, 0.5], k=9)) == pytest.approx({"a": 0.3, "b": 0.05})


@given(rankings, st.randoms())
def test_the_order_of_the_rankings_does_not_matter(
    lists: list[list[tuple[int, float]]], random: object
) -> None:
    shuffled = list(lists)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert dict(rrf(shuffled)) == pytest.approx(dict(rrf(lists)))


@given(rankings)
def test_the_answer_is_sorted_by_score_then_key_and_holds_every_key_once(
    lists: list[list[tuple[int, float]]],
) -> None:
    fused = rrf(lists)
    assert fused == sorted(fused, key=lambda item: (-item[1], item[0]))
    assert sorted(key for key, _ in fused) == sorted({key for ranking in lists for key, _ in ranking})


@given(rankings, st.integers(0, 3), st.integers(1, 14))
def test_moving_up_in_one_ranking_never_lowers_a_score(
    lists: list[list[tuple[int, float]]], which: int, place: int
) -> None:
    if which >= len(lists) or place >= len(lists[which]):
        return
    raised = [list(ranking) for ranking in lists]
    raised[which][place - 1], raised[which][place] = raised[which][place], raised[which][place - 1]
    key = lists[which][place][0]
    assert dict(rrf(raised))[key] > dict(rrf(lists))[key]


@given(rankings)
def test_one_ranking_beside_empty_ones_keeps_its_order(lists: list[list[tuple[int, float]]]) -> None:
    for ranking in lists:
        assert [key for key, _ in rrf([[], ranking, []])] == [key for key, _ in ranking]


@given(rankings)
def test_a_ranking_of_weight_0_takes_no_part(lists: list[list[tuple[int, float]]]) -> None:
    extra = [[(99, 1.0), (0, 0.5)]]
    assert rrf([*lists, *extra], [1.0] * len(lists) + [0]) == rrf(lists)


def test_equal_scores_come_by_key() -> None:
    assert [key for key, _ in rrf([[(7, 1.0), (3, 0.9)], [(3, 1.0), (7, 0.9)]])] == [3, 7]


def test_a_key_that_a_ranking_holds_twice_counts_at_its_best_place() -> None:
    assert rrf([[("a", 1.0), ("a", 0.9), ("b", 0.8)]]) == [("a", 1 / 61), ("b", 1 / 63)]


def test_keys_may_be_of_any_comparable_kind() -> None:
    assert rrf([[(("notes", "1"), 1.0)], [(("docs", "1"), 1.0)]]) == [
        (("docs", "1"), 1 / 61),
        (("notes", "1"), 1 / 61),
    ]


@pytest.mark.parametrize(
    ("given_weights", "k"), [([1.0], 60), ([1.0, -1.0], 60), ([1.0, float("nan")], 60), (None, 0), (None, -5)]
)
def test_weights_that_do_not_fit_and_a_k_that_is_not_positive_are_refused(
    given_weights: list[float] | None, k: float
) -> None:
    with pytest.raises(InputError) as refused:
        rrf([[("a", 1.0)], [("b", 1.0)]], given_weights, k)
    assert refused.value.hint
