from __future__ import annotations

from random import Random
from statistics import NormalDist, fmean, pstdev
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.errors import InputError
from tamis.fusion import DEPTH, FUSIONS, Background, Sides, adaptive, background, convex, rrf

if TYPE_CHECKING:
    from collections.abc import Sequence

Ranking = list[tuple[int, float]]


def ranked(scores: dict[int, float]) -> Ranking:
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))


def by_the_formula(sides: Sides[int], weights: Sequence[float] = (1.0, 1.0)) -> dict[int, float]:
    """The published formula, written out again for candidates that all have a vector."""
    corpus = sides.background
    assert corpus is not None
    words = dict(sides.lexical)
    z = {key: (cosine - corpus.mean) / corpus.deviation for key, cosine in [*sides.dense, *sides.beside]}
    best, last = sides.lexical[0][1], sides.lexical[99][1] if len(sides.lexical) >= 100 else 0.0
    lexical = weights[0] * max(0.4, 1 - last / best) ** 3
    chance = NormalDist().inv_cdf(1 - 1 / (corpus.count + 1))
    dense = weights[1] * 0.12 * min(1.0, max(0.25, (max(z.values()) - chance + 0.5) / 1.5))
    raw = {key: lexical * words.get(key, 0.0) / best + dense * z[key] for key in z}
    most = lexical + dense * max(z.values())
    return {key: score / most for key, score in raw.items()}


def drawn(seed: int, matches: int, found: int) -> Sides[int]:
    random = Random(seed)
    words = {key: random.uniform(0.5, 20) for key in random.sample(range(1000), matches)}
    cosines = {key: random.uniform(0.5, 0.9) for key in {*random.sample(range(1000), found), *words}}
    dense = ranked(cosines)[:found]
    held = {key for key, _ in dense}
    return Sides(
        lexical=ranked(words),
        dense=dense,
        beside=[(key, cosines[key]) for key in words if key not in held],
        background=Background(mean=0.45, deviation=0.06, count=random.randint(10, 100_000)),
    )


@pytest.mark.parametrize(("matches", "found"), [(1, 1), (5, 20), (99, 100), (100, 100), (130, 130), (40, 3)])
@pytest.mark.parametrize("weights", [(1.0, 1.0), (2.0, 0.5), (0.1, 3.0)])
def test_scores_are_those_of_the_formula(matches: int, found: int, weights: tuple[float, float]) -> None:
    sides = drawn(matches + found, matches, found)
    assert dict(adaptive(sides, weights)) == pytest.approx(by_the_formula(sides, weights))


scores = st.floats(0.01, 40)
cosines = st.floats(-1, 1)
keys = st.integers(0, 60)
backgrounds = st.none() | st.builds(
    Background, st.floats(-0.2, 0.9), st.floats(0, 0.3), st.integers(0, 10**7)
)


@st.composite
def all_sides(draw: st.DrawFn) -> Sides[int]:
    words = draw(st.dictionaries(keys, scores, max_size=12))
    found = draw(st.dictionaries(keys, cosines, max_size=12))
    beside = [(key, draw(cosines)) for key in words if key not in found and draw(st.booleans())]
    return Sides(ranked(words), ranked(found), beside, draw(backgrounds))


@pytest.mark.parametrize("name", sorted(FUSIONS))
@given(sides=all_sides())
def test_every_fusion_holds_each_candidate_once_sorted_with_scores_of_nought_or_more(
    name: str, sides: Sides[int]
) -> None:
    fused = FUSIONS[name](sides)
    assert fused == sorted(fused, key=lambda item: (-item[1], item[0]))
    assert sorted(key for key, _ in fused) == sorted({key for key, _ in [*sides.lexical, *sides.dense]})
    assert all(score >= 0 for _, score in fused)


@given(all_sides())
def test_scores_are_at_most_1(sides: Sides[int]) -> None:
    assert all(score <= 1 + 1e-9 for _, score in adaptive(sides))


@given(all_sides(), st.randoms(use_true_random=False))
def test_the_order_in_which_cosines_come_does_not_matter(sides: Sides[int], random: Random) -> None:
    dense, beside = list(sides.dense), list(sides.beside)
    random.shuffle(dense)
    random.shuffle(beside)
    again = adaptive(Sides(sides.lexical, dense, beside, sides.background))
    assert dict(again) == pytest.approx(dict(adaptive(sides)))


@given(all_sides(), st.integers(1, 64))
def test_the_scale_of_bm25_does_not_matter(sides: Sides[int], scale: int) -> None:
    scaled = Sides(
        [(key, score * scale) for key, score in sides.lexical], sides.dense, sides.beside, sides.background
    )
    assert dict(adaptive(scaled)) == pytest.approx(dict(adaptive(sides)))


@pytest.mark.parametrize("name", sorted(FUSIONS))
def test_one_side_alone_keeps_its_order(name: str) -> None:
    corpus = Background(0.5, 0.05, 1000)
    words = [(7, 9.0), (2, 8.5), (5, 1.0)]
    meaning = [(3, 0.9), (9, 0.7), (1, 0.4), (4, 0.3)]
    fuse = FUSIONS[name]
    assert [key for key, _ in fuse(Sides(words))] == [7, 2, 5]
    assert [key for key, _ in fuse(Sides([], meaning, (), corpus))] == [3, 9, 1, 4]
    assert fuse(Sides([])) == []


@pytest.mark.parametrize("name", sorted(FUSIONS))
def test_a_side_of_weight_0_takes_no_part(name: str) -> None:
    sides = Sides([(1, 9.0), (2, 8.0)], [(2, 0.9), (3, 0.8)], [(1, 0.3)], Background(0.5, 0.05, 1000))
    fuse = FUSIONS[name]
    assert [key for key, _ in fuse(sides, [1, 0])] == [1, 2]
    assert [key for key, _ in fuse(sides, [0, 1])][:2] == [2, 3]
    assert fuse(sides, [0, 0]) == []


def test_a_higher_cosine_never_lowers_a_candidate() -> None:
    for seed in range(30):
        sides = drawn(seed, 60, 100)
        key, cosine = sides.dense[50]
        raised = [(k, c) if k != key else (k, cosine + 0.02) for k, c in sides.dense]
        before = dict(adaptive(sides))[key]
        assert (
            dict(adaptive(Sides(sides.lexical, ranked(dict(raised)), sides.beside, sides.background)))[key]
            > before
        )


def test_a_candidate_without_a_vector_counts_as_the_mean_of_those_that_words_found() -> None:
    words = [(1, 10.0), (2, 8.0), (3, 8.0), (4, 8.0)]
    sides = Sides(words, [(2, 0.8), (9, 0.7)], [(3, 0.6)], Background(0.5, 0.05, 1000))
    fused = dict(adaptive(sides))
    assert fused[4] == pytest.approx((fused[2] + fused[3]) / 2)


def test_words_that_few_documents_hold_outweigh_meaning_and_words_that_all_hold_do_not() -> None:
    dense = [(key, 0.9 - 0.002 * key) for key in range(DEPTH)]
    corpus = Background(0.5, 0.06, 5000)
    rare = [(500, 20.0), *((600 + n, 2.0 - 0.01 * n) for n in range(DEPTH))]
    common = [(500, 20.0), *((600 + n, 19.0 - 0.01 * n) for n in range(DEPTH))]
    for words, first in ((rare, 500), (common, 0)):
        beside = [(key, 0.6) for key, _ in words]
        assert adaptive(Sides(words, dense, beside, corpus))[0][0] == first


def test_cosines_that_stand_out_no_more_than_chance_count_a_quarter() -> None:
    def part(best: float) -> float:
        # Its lexical part is all but nothing: the score of 2 is what its cosine is worth beside the lexical 1.
        fused = dict(adaptive(Sides([(1, 10.0)], [(2, best)], [(1, 0.0)], Background(0.0, 1.0, 999))))
        return fused[2] / fused[1]

    chance = NormalDist().inv_cdf(1 - 1 / 1000)
    assert part(chance + 1) == pytest.approx(0.12 * (chance + 1))
    assert part(chance + 0.25) == pytest.approx(0.5 * 0.12 * (chance + 0.25))
    assert part(chance - 1) == pytest.approx(0.25 * 0.12 * (chance - 1))


@given(st.lists(st.integers(-100, 100).map(lambda n: n / 128), max_size=50))
def test_a_background_is_the_mean_and_deviation_of_the_sample(sample: list[float]) -> None:
    measured = background(sample, 12_345)
    assert measured.count == 12_345
    assert measured.mean == pytest.approx(fmean(sample) if sample else 0)
    assert measured.deviation == pytest.approx(pstdev(sample) if sample else 0, abs=1e-9)


def test_rrf_by_name_is_plain_rrf_of_what_was_retrieved() -> None:
    sides = drawn(3, 60, 100)
    assert FUSIONS["rrf"](sides, [1, 2]) == rrf([sides.lexical, sides.dense], [1, 2])


def test_convex_by_name_has_the_cosines_of_all_candidates() -> None:
    sides = drawn(4, 60, 100)
    assert FUSIONS["convex"](sides) == convex([sides.lexical, [*sides.dense, *sides.beside]])


def test_weights_that_are_not_two_are_refused() -> None:
    for weights in ([1.0], [1.0, 1.0, 1.0], [1.0, -1.0]):
        with pytest.raises(InputError):
            adaptive(Sides([(1, 1.0)]), weights)
