"""Targets that no corpus has are told apart from targets that were not found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.evaluate import Gold, GoldQuery, Held, Target, absent, relevant_targets
from tamis.evaluate.matching import meets
from tamis.types import Hit, Lines

TEXT = "# Keys\n\nKeys are rotated\n  every 90 days, by whoever is on duty."
HELD = [
    Held("/home/u/notes/keys.md", ["notes:7"], {"Keys", "How to rotate?"}, TEXT),
    Held("/home/u/notes/doc12.txt", ["notes:8"], (), "Something else."),
    Held("/home/u/notes/c#.md", ["notes:10"], {"C# clients", "🎉"}, ""),
]


def hit(path: str, text: str, *, id: str, headings: tuple[str, ...]) -> Hit:
    return Hit(id, "notes", path, 1.0, 0, 0, len(text), Lines(1, 1), headings, "paragraph", "", text, "", 1)


@pytest.mark.parametrize(
    ("target", "there"),
    [
        (Target("/home/u/notes/keys.md"), True),
        (Target("notes/keys.md"), True),
        (Target("./keys.md"), True),
        (Target("doc12"), True),
        (Target("doc1"), False),
        (Target("otes/keys.md"), False),
        (Target("notes"), False),
        (Target("keys.md#how-to-rotate"), True),
        (Target("keys.md#Backups"), False),
        (Target("doc12.txt#Keys"), False),
        (Target("notes:7"), True),
        (Target("c#.md"), True),
        (Target("c#.md#C# clients"), True),
        (Target("c#.md#c-clients"), True),
        (Target("c#.md#🎉"), True),
        (Target("c#.md#🚀"), False),
        (Target("../notes/./x/../keys.md"), True),
        (Target("notes:9"), False),
        (Target("KEYS ARE ROTATED every 90 days", quoted=True), True),
        (Target("keys are rotated every 90 days and sent to nobody", quoted=True), False),
        (Target("rotate", quoted=True), False),
        (Target("never rotated at all", quoted=True), False),
        (Target("doc12.txt", quoted=True), False),
    ],
)
def test_a_target_is_there_when_something_could_meet_it(target: Target, there: bool) -> None:
    assert absent([target], HELD) == ([] if there else [target])


def test_the_absent_ones_come_in_their_order() -> None:
    wanted = [Target("x.md"), Target("keys.md"), Target("a.md")]
    assert absent(wanted, HELD) == [wanted[0], wanted[2]]
    assert absent(wanted, []) == wanted


def test_a_target_counts_once_and_only_when_it_is_relevant() -> None:
    queries = (
        GoldQuery("1", "q", (Target("a.md", 1), Target("b.md", 0))),
        GoldQuery("2", "r", (Target("a.md", 2), Target("a.md", 1, quoted=True))),
    )
    assert [(one.text, one.quoted) for one in relevant_targets(Gold(queries))] == [
        ("a.md", False),
        ("a.md", True),
    ]


WORDS = st.lists(
    st.sampled_from(["a", "key", "Keys", "vault", "#", "x.md", "C#", "🎉"]), min_size=1, max_size=8
).map(" ".join)
PATHS = st.lists(st.sampled_from(["a", "key", "x.md", "c#", ".."]), min_size=1, max_size=3).map("/".join)


@given(PATHS, WORDS, WORDS, st.one_of(PATHS, WORDS, st.builds("{}#{}".format, PATHS, WORDS)), st.booleans())
def test_what_a_passage_meets_is_there(path: str, heading: str, text: str, wanted: str, quoted: bool) -> None:
    target = Target(wanted, quoted=quoted)
    held = Held(path, ["notes:1"], [heading], text, [text])
    met = meets(hit(path, text, id="notes:1", headings=(heading,)), target)
    assert met == (not absent([target], [held]))
