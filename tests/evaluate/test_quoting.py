"""A quotation is found where it stands, and at the edge of a passage that cuts it; nowhere else."""

from __future__ import annotations

import pytest

from tamis.evaluate import Held, Target, absent
from tamis.evaluate.quoting import Passage, plain

LONG = "Keys are rotated every 90 days, by whoever is on duty in that week, and the old ones are destroyed at once."


def found(passage: str, quotation: str) -> bool:
    return Passage(passage).holds(plain(quotation))


@pytest.mark.parametrize(
    ("passage", "quotation"),
    [
        ("Before. Keys are rotated\n every 90  days. After.", "keys are ROTATED every 90 days"),
        ("egress from Oslo, last year", "Oslo"),
        ("(Oslo)", "Oslo"),
        ("in C++, then", "C++"),
        ("cafe\u0301 au lait", "caf\u00e9"),
        ("我们每九十天更换一次密钥。", "九十天更换"),
        ("เราเปลี่ยนกุญแจทุกวัน", "กุญแจ"),
        ("--force", "--force"),
    ],
)
def test_what_stands_in_a_passage_is_found(passage: str, quotation: str) -> None:
    assert found(passage, quotation)


@pytest.mark.parametrize(
    ("passage", "quotation"),
    [
        ("the cost of egress in London", "Oslo"),
        ("thirty days", "30 days"),
        ("130 days", "30 days"),
        ("30 daystars", "30 days"),
        ("cafe\u0301s", "caf\u00e9"),
        ("the", "the keys are rotated every 90 days"),
        ("keys are rotated", "the keys are rotated every 90 days"),
        ("", "Oslo"),
        ("Oslo", " "),
    ],
)
def test_a_piece_of_a_quotation_is_not_the_quotation(passage: str, quotation: str) -> None:
    assert not found(passage, quotation)


@pytest.mark.parametrize(
    ("passage", "counts"),
    [
        ("Before. Keys are rotated every 90 days, by whoever is on duty", True),
        ("duty in that week, and the old ones are destroyed at once. After.", True),
        ("on duty in that week, and the old ones are destroyed", True),
        ("Before. Keys are rotated every 90 days", False),  # less than half
        ("Before. Keys are rotated every 90 days, by whoever is on duty. After.", False),  # no edge cuts it
        ("xduty in that week, and the old ones are destroyed at once. After.", False),  # no whole words
        ("Monkeys. xKeys are rotated every 90 days, by whoever is on duty", False),
        ("rotated every 90 days, by whoever", False),  # six words from within
        ("rotated every 90 days, by whoever is on", True),  # eight
    ],
)
def test_a_large_part_of_a_quotation_counts_at_the_edge_of_a_passage(passage: str, counts: bool) -> None:
    assert found(passage, LONG) is counts


@pytest.mark.parametrize("at", range(4, 18))
def test_of_a_quotation_cut_in_two_at_a_space_a_passage_holds_its_part(at: int) -> None:
    words = LONG.split()
    first, last = "So: " + " ".join(words[:at]), " ".join(words[at:]) + " So be it."
    assert found(first, LONG) or found(last, LONG)


def test_words_are_what_counts_as_words() -> None:
    assert not found("So: | - | rotated", "| - | rotated every day")
    assert not found("a donaudampfschiff", "donaudampfschiff fährt morgen")
    assert found("前文。密钥每九十天更换一次", "密钥每九十天更换一次,由当值人员负责")


def test_a_quotation_that_repeats_itself_is_read_to_its_end() -> None:
    assert found("a b c d a b c d a b c d. Then", "x y. a b c d a b c d a b c d.")


def test_what_counts_at_the_edge_of_a_passage_is_there_and_what_stands_across_two_is_too() -> None:
    words = LONG.split()
    whole = Held("a.md", text=LONG, passages=[" ".join(words[:3]), " ".join(words[3:6])])
    torn = Held("a.md", text="other text", passages=["So: " + " ".join(words[:14])])
    quotation = Target(LONG, quoted=True)
    assert absent([quotation], [whole]) == []
    assert absent([quotation], [torn]) == []
    assert absent([quotation], [Held("a.md", text=" ".join(words[:6]) + " not.")]) == [quotation]
