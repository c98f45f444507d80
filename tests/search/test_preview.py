"""Previews are verbatim and no longer than asked."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tamis.search.preview import preview

WORDS = st.lists(
    st.sampled_from(["alpha", "beta", "gamma", "delta", "éclair", "日本", "\n", "-"]), max_size=80
).map(" ".join)


@given(WORDS, WORDS, st.integers(1, 500))
def test_a_preview_is_a_slice_of_the_text_no_longer_than_asked(text: str, query: str, chars: int) -> None:
    shown = preview(text, query, chars)
    assert shown in text
    assert len(shown) <= chars


def test_a_short_text_is_shown_whole() -> None:
    assert preview("all of it", "it", 200) == "all of it"


def test_the_part_with_most_of_the_querys_words_is_shown() -> None:
    text = "filler words " * 40 + "keys are rotated every month by the operator " + "more filler " * 40
    shown = preview(text, "how are keys rotated", 80)
    assert "keys are rotated" in shown


def test_without_a_match_the_beginning_is_shown() -> None:
    text = "The beginning of it all. " + "x " * 500
    assert preview(text, "zebra", 24).startswith("The beginning")
