"""Text laid out by the cells it takes on a terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.render.cells import cut, lines, pad, width
from tamis.render.table import table

WORDS = st.text(st.characters(categories=["L", "Mn", "Nd", "Po", "So"]), max_size=30)


@pytest.mark.parametrize(
    ("text", "cells"), [("abc", 3), ("鑰匙", 4), ("e\u0301", 1), ("กุญแจ", 4), ("ﾊ", 1), ("\u200bx", 1)]
)
def test_width_counts_cells_and_not_letters(text: str, cells: int) -> None:
    assert width(text) == cells


@given(st.lists(WORDS), st.integers(4, 40))
def test_lines_fit_and_lose_nothing_but_the_spaces_they_are_broken_at(words: list[str], cells: int) -> None:
    text = " ".join(words)
    broken = list(lines(text, cells))
    assert all(width(line) <= cells for line in broken)
    assert "".join(broken).replace(" ", "") == text.replace(" ", "")


@given(WORDS, st.integers(2, 20))
def test_a_cut_text_fits_and_says_that_it_was_cut(text: str, cells: int) -> None:
    shown = cut(text, cells)
    assert width(shown) <= cells
    assert shown == text or (shown.endswith("…") and text.startswith(shown[:-1]))


@given(WORDS)
def test_padded_texts_take_the_same_room(text: str) -> None:
    assert width(pad(text, 80)) == width(pad(text, 80, right=True)) == 80


def test_columns_stand_one_under_the_other() -> None:
    from tamis.render import Style

    shown = table(("NAME", "N"), [("鑰匙", "1"), ("a", "1,000")], Style(), right=(1,))
    assert shown == "NAME      N\n鑰匙      1\na     1,000"
