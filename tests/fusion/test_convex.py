from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.errors import InputError
from tamis.fusion import convex

scores = st.integers(-1000, 1000).map(lambda value: value / 8)
rankings = st.lists(
    st.dictionaries(st.integers(0, 30), scores, max_size=15).map(lambda d: list(d.items())), max_size=4
)


def test_scores_are_those_of_the_formula() -> None:
    fused = convex([[("a", 12.0), ("b", 6.0), ("c", 4.0)], [("c", 0.9), ("a", 0.7), ("d", 0.5)]], [1, 3])
    assert dict(fused) == pytest.approx({"a": 0.25 + 0.75 * 0.5, "b": 0.25 * 0.25, "c": 0.75, "d": 0.0})
    assert [key for key, _ in fused] == ["c", "a", "b", "d"]


@given(rankings, st.randoms())
def test_neither_the_order_of_rankings_nor_of_entries_matters(
    lists: list[list[tuple[int, float]]], random: object
) -> None:
    shuffled = [list(ranking) for ranking in lists]
    for ranking in shuffled:
        random.shuffle(ranking)  # type: ignore[attr-defined]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert dict(convex(shuffled)) == pytest.approx(dict(convex(lists)))


@given(rankings, st.integers(1, 64), st.integers(-64, 64))
def test_a_rankings_scale_and_origin_do_not_matter(
    lists: list[list[tuple[int, float]]], scale: int, origin: int
) -> None:
    moved = [[(key, score * scale + origin) for key, score in ranking] for ranking in lists]
    assert dict(convex(moved)) == pytest.approx(dict(convex(lists)))


@given(rankings)
def test_scores_lie_between_0_and_1_and_come_sorted(lists: list[list[tuple[int, float]]]) -> None:
    fused = convex(lists)
    assert all(-1e-9 <= score <= 1 + 1e-9 for _, score in fused)
    assert fused == sorted(fused, key=lambda item: (-item[1], item[0]))


@given(rankings)
def test_one_ranking_beside_empty_ones_keeps_its_order(lists: list[list[tuple[int, float]]]) -> None:
    for ranking in lists:
        expected = [key for key, _ in sorted(ranking, key=lambda item: (-item[1], item[0]))]
        assert [key for key, _ in convex([[], ranking])] == expected


def test_a_ranking_of_weight_0_takes_no_part() -> None:
    assert convex([[("a", 1.0)], [("b", 1.0)]], [0, 2]) == [("b", 1.0)]
    assert convex([[("a", 1.0)]], [0]) == []


def test_weights_that_do_not_fit_are_refused() -> None:
    for weights in ([1.0], [1.0, -0.1], [1.0, float("inf")]):
        with pytest.raises(InputError):
            convex([[("a", 1.0)], [("b", 1.0)]], weights)
