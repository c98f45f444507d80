from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.chunking import LineIndex
from tamis.errors import InputError
from tamis.types import Lines, Span

texts = st.text(st.sampled_from("ab\n\r\v\f\x1c\x85\u2028"), max_size=30)


def line_numbers(text: str) -> list[int]:
    """The line of each character, by walking the text."""
    numbers, line = [], 1
    for position, character in enumerate(text):
        numbers.append(line)
        if character == "\n" or (character == "\r" and text[position + 1 : position + 2] != "\n"):
            line += 1
    return numbers


@given(texts)
def test_every_character_is_on_its_line(text: str) -> None:
    index = LineIndex(text)
    assert [index.line_of(offset) for offset in range(len(text))] == line_numbers(text)


@given(texts)
def test_the_span_of_a_line_is_its_text_without_its_end(text: str) -> None:
    index = LineIndex(text)
    content = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n") if text else []
    assert [text[slice(*index.span_of(number, number))] for number in range(1, len(index) + 1)] == content


@given(texts.filter(bool), st.data())
def test_the_lines_of_a_span_of_lines_are_those_lines(text: str, data: st.DataObject) -> None:
    index = LineIndex(text)
    first = data.draw(st.integers(1, len(index)))
    last = data.draw(st.integers(first, len(index)))
    span = index.span_of(first, last)
    if span.end > span.start and text[span.end - 1] not in "\r\n":
        assert index.lines_of(*span) == Lines(first, last)


def test_an_end_beyond_the_text_means_its_last_line() -> None:
    assert LineIndex("a\r\nbc\r\n").span_of(2, 99) == Span(3, 5)


def test_an_empty_text_has_no_lines() -> None:
    assert len(LineIndex("")) == 0
    with pytest.raises(InputError):
        LineIndex("").span_of(1, 1)


@pytest.mark.parametrize(("first", "last"), [(0, 1), (3, 3), (2, 1), (-1, -1)])
def test_lines_that_are_not_there_are_refused_with_a_hint(first: int, last: int) -> None:
    with pytest.raises(InputError) as caught:
        LineIndex("a\nb").span_of(first, last)
    assert caught.value.code == "SCHEMA_INVALID"
    assert caught.value.hint
