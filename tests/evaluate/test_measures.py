from __future__ import annotations

import sys
from math import log2

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.errors import InputError, MissingExtraError
from tamis.evaluate import DEFAULT_MEASURES, Gold, GoldQuery, Measure, Target, evaluate, parse_measure

NAMES = ("nDCG", "Recall", "MRR", "Success", "P", "MAP")


@given(st.sampled_from(NAMES), st.integers(1, 999_999))
def test_the_text_of_a_measure_reads_back(family: str, cutoff: int) -> None:
    measure = Measure(family, cutoff)
    assert parse_measure(str(measure)) == measure


@pytest.mark.parametrize("text", ["ndcg@10", " nDCG@10 ", "NDCG@10"])
def test_case_and_blanks_around_a_measure_do_not_matter(text: str) -> None:
    assert parse_measure(text) == Measure("nDCG", 10)


@pytest.mark.parametrize(
    "text", ["", "nDCG@", "nDCG@0", "Recall", "nDCG@-1", "nDCG@1.5", "F1@10", "nDCG@10@10"]
)
def test_what_is_no_measure_is_refused_with_a_hint(text: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_measure(text)
    assert refused.value.hint


def test_values_agree_with_a_calculation_by_hand() -> None:
    gold = Gold((GoldQuery("1", "q", (Target("a", 2), Target("b", 1), Target("c", 1))),))
    measures = [
        parse_measure(text) for text in ("nDCG@3", "Recall@2", "MRR", "Success@1", "Success@2", "P@4", "MAP")
    ]
    (outcome,) = evaluate(lambda _: ["x", "a", "y", "b"], gold, measures).queries
    ideal = 2 / log2(2) + 1 / log2(3) + 1 / log2(4)
    assert [outcome.values[measure] for measure in measures] == pytest.approx(
        [2 / log2(3) / ideal, 1 / 3, 1 / 2, 0, 1, 2 / 4, (1 / 2 + 2 / 4) / 3]
    )
    assert (outcome.found_ranks, outcome.relevant) == ((2, 4), 3)


documents = st.lists(st.sampled_from("abcdefghij"), unique=True, max_size=10)
judgements = st.dictionaries(st.sampled_from("abcdefghij"), st.integers(0, 3), min_size=1).filter(
    lambda grades: any(grades.values())
)


@given(st.lists(st.tuples(judgements, documents), min_size=1, max_size=4))
def test_values_agree_with_ir_measures_called_directly(cases: list[tuple[dict[str, int], list[str]]]) -> None:
    gold = Gold(
        tuple(
            GoldQuery(str(place), str(place), tuple(Target(name, grade) for name, grade in grades.items()))
            for place, (grades, _) in enumerate(cases)
        )
    )
    evaluation = evaluate(lambda query: cases[int(query)][1], gold)
    qrels = {str(place): grades for place, (grades, _) in enumerate(cases)}
    run = {
        str(place): {name: 1 / (1 + rank) for rank, name in enumerate(found)}
        for place, (_, found) in enumerate(cases)
    }
    theirs = [
        ir_measures.nDCG @ 10,
        ir_measures.R @ 10,
        ir_measures.R @ 100,
        ir_measures.RR @ 10,
        ir_measures.Success @ 1,
        ir_measures.Success @ 5,
    ]
    expected = ir_measures.calc_aggregate(theirs, qrels, run)
    assert [evaluation.mean(measure) for measure in DEFAULT_MEASURES] == pytest.approx(
        [expected[m] for m in theirs]
    )


@pytest.mark.parametrize("grade", [-1, 1_000_001, 2**33, 10**24])
def test_a_grade_that_cannot_be_measured_is_refused(grade: int) -> None:
    with pytest.raises(InputError) as refused:
        Target("a", grade)
    assert "1000000" in refused.value.hint


def test_the_highest_grade_is_measured() -> None:
    gold = Gold((GoldQuery("1", "q", (Target("a", 1_000_000), Target("b", 1))),))
    best = Measure("nDCG", 1)
    assert evaluate(lambda _: ["b"], gold, [best]).mean(best) == pytest.approx(1e-6)
    assert evaluate(lambda _: ["a"], gold, [best]).mean(best) == 1


def test_an_empty_ranking_scores_nought_and_counts() -> None:
    gold = Gold((GoldQuery("1", "found", (Target("a"),)), GoldQuery("2", "lost", (Target("b"),))))
    evaluation = evaluate(lambda query: ["a"] if query == "found" else [], gold)
    assert set(evaluation.means().values()) == {0.5}


def test_queries_without_a_relevant_target_are_left_out() -> None:
    gold = Gold(
        (GoldQuery("1", "q", (Target("a"),)), GoldQuery("2", "r", (Target("a", 0),)), GoldQuery("3", "s", ()))
    )
    assert [outcome.id for outcome in evaluate(lambda _: ["a"], gold).queries] == ["1"]


def test_a_gold_without_anything_relevant_is_refused() -> None:
    with pytest.raises(InputError):
        evaluate(lambda _: [], Gold((GoldQuery("1", "q", ()),)))
    with pytest.raises(InputError):
        evaluate(lambda _: [], Gold((GoldQuery("1", "q", (Target("a"),)),)), [])


def test_without_the_extra_the_install_line_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    asked: list[str] = []
    with pytest.raises(MissingExtraError) as missing:
        evaluate(lambda query: asked.append(query) or ["a"], Gold((GoldQuery("1", "q", (Target("a"),)),)))
    assert "tamis[eval]" in missing.value.hint
    assert not asked
