"""The words that a query meets stand out, and nothing else does."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.render import Style
from tamis.render.highlight import highlighted

COLOUR = Style(colour=True)
TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=60)


def marked(query: str, text: str) -> list[str]:
    return re.findall(r"\x1b\[1;31m(.*?)\x1b\[0m", highlighted(text, query, COLOUR))


@pytest.mark.parametrize(
    ("query", "text", "words"),
    [
        ("rotating keys", "Rotate the KEY; keyboards rotated", ["Rotate", "KEY", "rotated"]),
        ("unstable features", "set unstable_feature here", ["unstable_feature"]),
        ("target feature", "2045-target-feature.md", ["target", "feature"]),
        ("@scope/name", "an @scope/name", ["@scope/name"]),
        ("how do we use C++", "how C and C++ do it, we use", ["C", "C++", "use"]),
        ("鑰匙", "更換鑰匙一次", ["鑰匙"]),
        ("更換鑰匙", "更換鑰匙一次更換", ["更換鑰匙", "更換"]),
        ("กุญแจ", "กุญแจของเรา", ["กุญแจ"]),
        ("cafe", "Café", ["Café"]),
        ("", "nothing", []),
        ("(.*)", "a (.*) b", []),
    ],
)
def test_words_are_marked_as_the_lexical_search_sees_them(query: str, text: str, words: list[str]) -> None:
    assert marked(query, text) == words


@given(TEXTS, TEXTS)
def test_marking_changes_no_letter(text: str, query: str) -> None:
    assert re.sub(r"\x1b\[[\d;]*m", "", highlighted(text, query, COLOUR)) == text
    assert highlighted(text, query, Style()) == text


@given(TEXTS)
def test_a_text_that_is_its_own_query_loses_nothing(text: str) -> None:
    assert re.sub(r"\x1b\[[\d;]*m", "", highlighted(text, text, COLOUR)) == text
