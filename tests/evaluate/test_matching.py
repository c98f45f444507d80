from __future__ import annotations

import pytest

from tamis.evaluate import Gold, GoldQuery, Measure, Target, evaluate
from tamis.types import Hit, Lines

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
    ],
)
def test_a_hit_meets_its_id_its_path_from_any_folder_on_and_its_headings(name: str, meets: bool) -> None:
    result = hit("/home/u/notes/keys.md", id="id-7", headings=("Rotation", "How to rotate?"))
    assert found(result, Target(name)) is meets


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


def test_a_hit_that_meets_two_targets_takes_the_one_of_the_higher_grade() -> None:
    gold = Gold((GoldQuery("1", "q", (Target("a.md", 1), Target("a.md#Top", 3))),), "passage")
    best = Measure("nDCG", 1)
    assert evaluate(lambda _: [hit("a.md", headings=("Top",))], gold, [best]).mean(best) == 1.0
