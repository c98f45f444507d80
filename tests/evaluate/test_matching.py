from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.evaluate import Gold, GoldQuery, Measure, Target, evaluate, parse_measure
from tamis.types import Hit, Lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.evaluate.gold import Level

FIRST = Measure("Success", 1)


def hit(path: str, text: str = "", *, id: str = "", headings: tuple[str, ...] = (), index: int = 0) -> Hit:
    return Hit(
        id=id or f"{path}@{index}",
        corpus="notes",
        path=path,
        score=1.0,
        chunk_index=index,
        char_start=0,
        char_end=len(text),
        lines=Lines(1, 1),
        heading_path=headings,
        chunk_type="paragraph",
        title="",
        text=text,
        content_hash="",
        rank=1,
    )


def found(result: str | Hit, target: Target) -> bool:
    gold = Gold((GoldQuery("1", "q", (target,)),), "passage")
    return evaluate(lambda _: [result], gold, [FIRST]).mean(FIRST) == 1.0


@pytest.mark.parametrize(
    ("name", "meets"),
    [
        ("/home/u/notes/keys.md", True),
        ("notes/keys.md", True),
        ("keys.md", True),
        ("keys", True),
        ("./notes/keys.md", True),
        ("otes/keys.md", False),
        ("notes", False),
        ("id-7", True),
        ("keys.md#Rotation", True),
        ("keys.md#key-rotation", False),
        ("notes/keys.md#how-to-rotate", True),
        ("other.md#Rotation", False),
        ("keys.md#", False),
        ("../w/u/notes/../notes/keys.md", False),
        ("../u/./notes/../notes/keys.md", True),
        ("..\\notes\\keys.md", True),
        ("..", False),
    ],
)
def test_a_hit_meets_its_id_its_path_from_any_folder_on_and_its_headings(name: str, meets: bool) -> None:
    result = hit("/home/u/notes/keys.md", id="id-7", headings=("Rotation", "How to rotate?"))
    assert found(result, Target(name)) is meets


@pytest.mark.parametrize(
    ("path", "heading", "name", "meets"),
    [
        ("a.md", "C# clients", "a.md#C# clients", True),
        ("a.md", "C# clients", "a.md#c-clients", True),
        ("a.md", "Tip #1: backups", "a.md#tip #1: backups", True),
        ("a.md", "Tip #1: backups", "a.md#tip-1-backups", True),
        ("w/c#notes.md", "", "c#notes.md", True),
        ("w/c#notes.md", "F#", "c#notes.md#F#", True),
        ("w/c#notes.md", "F#", "c#notes.md#C#", False),
        ("a.md", "🎉", "a.md#🎉", True),
        ("a.md", "🚀", "a.md#🎉", False),
        ("a.md", "C++", "a.md#C++", True),
        ("a.md", "C", "a.md#C++", False),
        ("a.md", "C++", "a.md#C", False),
        ("a.md", "🚀 Launch", "a.md#-launch", True),
        ("a.md", "Don't", "a.md#dont", True),
        ("a.md", "Read / write", "a.md#read--write", True),
        ("a.md", "snake_case", "a.md#snake_case", True),
        ("a.md", "กุญแจ ที่ นี่!", "a.md#กุญแจ-ที่-นี่", True),
        ("a.md", "Section", "a.md#-", False),
        ("a.md", "?", "a.md#-", False),
    ],
)
def test_a_heading_goes_by_its_words_or_its_anchor_and_may_hold_the_mark(
    path: str, heading: str, name: str, meets: bool
) -> None:
    assert found(hit(path, headings=(heading,)), Target(name)) is meets


def test_windows_separators_are_the_same_as_others() -> None:
    assert found(hit("C:\\notes\\keys.md"), Target("notes/keys.md"))


def test_a_quotation_is_met_by_a_passage_that_holds_it() -> None:
    quotation = Target("Keys are rotated every 90 days.", quoted=True)
    assert found(hit("a.md", "Before. KEYS are rotated\n every 90 days. After."), quotation)
    assert found(hit("a.md", "are rotated every 90 days. After."), quotation)
    assert not found(hit("a.md", "Keys"), quotation)
    assert not found(hit("a.md", "the cost of egress in London"), Target("Oslo", quoted=True))


def test_a_string_meets_the_target_of_the_same_text_and_no_quotation() -> None:
    assert found("d1", Target("d1"))
    assert not found("d1", Target("d"))
    assert not found("d1", Target("d1", quoted=True))


def test_at_document_level_the_passages_of_a_file_count_once_at_the_best_place() -> None:
    ranking = [hit("a.md", index=0), hit("a.md", index=1), hit("b.md"), hit("b.md", index=5), hit("c.md")]
    targets = (Target("b.md"), Target("c.md"))
    for level, ranks in (("document", (2, 3)), ("passage", (3, 4))):
        gold = Gold((GoldQuery("1", "q", targets),), level)  # type: ignore[arg-type]
        (outcome,) = evaluate(lambda _: ranking, gold, [FIRST]).queries
        assert outcome.found_ranks == ranks


MEASURES = [parse_measure(text) for text in ("nDCG@10", "Recall@10", "Recall@1", "P@1", "MAP")]


def values(ranking: Sequence[str | Hit], *targets: Target, level: Level = "passage") -> list[float]:
    evaluation = evaluate(lambda _: ranking, Gold((GoldQuery("1", "q", targets),), level), MEASURES)
    return [evaluation.mean(measure) for measure in MEASURES]


ANSWER = hit(
    "sub/b.md", "It was the rising cost that made us move. Logs stay for thirty days.", headings=("Network",)
)
SPANS = [Target(text, quoted=True) for text in ("rising cost", "made us move", "Logs stay for thirty days")]


@pytest.mark.parametrize(
    "targets",
    [SPANS, [Target("sub/b.md#Network"), SPANS[0]], [Target("sub/b.md"), Target("sub/b.md#Network")]],
)
def test_a_passage_that_is_all_that_was_asked_for_is_a_perfect_answer(targets: list[Target]) -> None:
    assert values([ANSWER, hit("c.md")], *targets) == [1.0] * len(MEASURES)


def test_a_passage_that_meets_several_targets_stands_at_one_rank_with_the_highest_grade() -> None:
    targets = (
        Target("rising cost", 1, quoted=True),
        Target("made us move", 3, quoted=True),
        Target("c.md", 2),
    )
    ndcg = (2 / log2(2) + 3 / log2(4)) / (3 / log2(2) + 2 / log2(3))
    assert values([hit("c.md"), hit("x.md"), ANSWER], *targets) == pytest.approx(
        [ndcg, 1, 1 / 2, 1, (1 + 2 / 3) / 2]
    )


def test_what_no_passage_met_counts_by_targets() -> None:
    assert values([hit("c.md")], *SPANS, Target("c.md"))[1] == pytest.approx(1 / 4)
    assert values([ANSWER], *SPANS, Target("c.md"))[1] == pytest.approx(1 / 2)


names = st.sampled_from(
    [*SPANS, Target("b.md", 2), Target("b.md#Network"), Target("c.md", 3), Target("x.md", 0)]
)
passages = st.sampled_from([ANSWER, hit("sub/b.md", "made us move", index=1), hit("c.md"), hit("x.md")])


@given(st.lists(names, min_size=1, max_size=6), st.lists(passages, max_size=6))
def test_no_value_is_above_one_and_a_further_result_takes_nothing(
    targets: list[Target], ranking: list[Hit]
) -> None:
    gold = Gold((GoldQuery("1", "q", (*targets, Target("c.md"))),), "passage")
    measures = [parse_measure(text) for text in ("nDCG", "Recall@100", "MAP", "MRR")]
    before: list[float] = [0.0] * len(measures)
    for end in range(len(ranking) + 1):
        evaluation = evaluate(lambda _, end=end: ranking[:end], gold, measures)
        after = [evaluation.mean(measure) for measure in measures]
        assert all(0 <= new <= 1 + 1e-9 for new in after)
        assert all(new >= old - 1e-9 for new, old in zip(after, before, strict=True))
        before = after


@pytest.mark.parametrize(
    "targets", [("a.md", "a.md"), ("notes/a.md", "/w/notes/a.md"), ("a.md", "./a.md", "a")]
)
def test_names_of_one_file_are_one_target(targets: tuple[str, ...]) -> None:
    ranking = [hit("/w/notes/a.md"), hit("/w/notes/a.md", index=1), hit("/w/b.md")]
    assert values(ranking, *map(Target, targets), level="document") == [1.0] * len(MEASURES)


def test_a_target_given_twice_is_one_with_the_highest_grade() -> None:
    query = GoldQuery(
        "1", "q", (Target("a"), Target("b"), Target("a", 3), Target("a", 2), Target("a", quoted=True))
    )
    assert query.targets == (Target("a", 3), Target("b"), Target("a", quoted=True))


def test_a_file_that_has_only_the_name_of_one_that_was_found_is_a_miss() -> None:
    ranking = [hit("/w/README.md"), hit("/w/sub/README.md"), hit("/w/README.md", index=1), hit("/w/c.md")]
    gold = Gold((GoldQuery("1", "q", (Target("README.md"), Target("c.md"))),))
    (outcome,) = evaluate(lambda _: ranking, gold, [FIRST]).queries
    assert outcome.found_ranks == (1, 3)


def test_a_sentence_that_was_found_before_is_repeated_in_whatever_file() -> None:
    text = "Keys are rotated every 90 days."
    targets = (Target(text, quoted=True), Target("c.md"))
    gold = Gold((GoldQuery("1", "q", targets),), "passage")
    (outcome,) = evaluate(
        lambda _: [hit("a.md", text), hit("b.md", text), hit("c.md")], gold, [FIRST]
    ).queries
    assert outcome.found_ranks == (1, 2)
