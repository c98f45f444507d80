"""A target that means one thing in the corpora is that thing."""

from __future__ import annotations

import pytest

from tamis.evaluate import Gold, GoldQuery, Held, Target
from tamis.evaluate.presence import meanings
from tamis.evaluate.resolving import nearest, resolved

HELD = [
    Held("/w/README.md", ["w:1"], {"C", "C++"}, relative="README.md"),
    Held("/w/sub/README.md", ["w:2"], {"Network"}, relative="sub/README.md"),
    Held("/w/sub/deep/README.md", ["w:3"], {"Network"}, relative="sub/deep/README.md"),
    Held("/w/c#.md", ["w:4"], {"Bits"}, relative="c#.md"),
    Held("/w/x/keys.md", ["w:5"], relative="x/keys.md"),
    Held("/w/y/keys.md", ["w:6"], relative="y/keys.md"),
]


def meant(name: str) -> set[str]:
    target = Target(name)
    return {meaning.text for meaning in nearest(meanings([target], HELD)[target])}


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("README.md", {"/w/README.md"}),
        ("./README.md", {"/w/README.md"}),
        ("/w/sub/README.md", {"/w/sub/README.md"}),
        ("deep/README.md", {"/w/sub/deep/README.md"}),
        ("README", {"/w/README.md", "/w/sub/README.md", "/w/sub/deep/README.md"}),
        ("keys.md", {"/w/x/keys.md", "/w/y/keys.md"}),
        ("x/keys.md", {"/w/x/keys.md"}),
        ("README.md#Network", {"/w/sub/README.md#Network", "/w/sub/deep/README.md#Network"}),
        ("sub/README.md#network", {"/w/sub/README.md#Network"}),
        ("README.md#c", {"/w/README.md#C"}),
        ("README.md#C++", {"/w/README.md#C++"}),
        ("c#.md#bits", {"/w/c#.md#Bits"}),
        ("w:2", {"w:2"}),
        ("none.md", set()),
    ],
)
def test_a_path_as_it_stands_comes_before_others_that_end_like_it(name: str, meaning: set[str]) -> None:
    assert meant(name) == meaning


def resolve(*targets: Target) -> GoldQuery:
    query = GoldQuery("1", "q", targets, "passage")
    meant = {target: nearest(found) for target, found in meanings(targets, HELD).items()}
    return resolved(Gold((query,)), meant).queries[0]


def test_two_names_of_one_file_become_one_target() -> None:
    assert resolve(Target("c#.md"), Target("../w/c#.md", 2), Target("none.md")).targets == (
        Target("/w/c#.md", 2),
        Target("none.md"),
    )


def test_what_is_not_clear_stays_as_it_is() -> None:
    targets = (Target("keys.md"), Target("none.md"), Target("words", quoted=True))
    assert resolve(*targets).targets == targets


@pytest.mark.parametrize(
    ("name", "level"),
    [("c#.md", "document"), ("c#.md#Bits", "passage"), ("w:2", "passage"), ("x#y", "passage")],
)
def test_a_file_with_the_mark_in_its_name_is_a_document(name: str, level: str) -> None:
    assert resolve(Target(name)).level == level
    assert resolve(Target(name), Target("words", quoted=True)).level == "passage"
