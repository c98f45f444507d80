"""Blocks: which lines belong together."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tamis.compress.blocks import MAX_BLOCK_CHARS, blocks
from tamis.compress.lines import lines_of, rejoined
from tests.compress.texts import GUIDE, markdown_texts


@settings(max_examples=200, deadline=None)
@given(markdown_texts, st.sampled_from(["markdown", "rst", "text", "code"]))
def test_the_blocks_in_order_are_the_text(text, flavour):
    position = line = 0
    for block in blocks(lines_of(text), flavour):
        assert (block.start, block.line) == (position, line)
        position += len(block.text)
        line += block.text.count("\n")
        assert text[block.start : position] == block.text
    assert position == len(text)


def test_each_kind_of_block_is_told_apart():
    kinds = [block.kind for block in blocks(lines_of(GUIDE), "markdown") if block.kind != "blank"]
    assert kinds == [
        *("frontmatter", "heading", "noise", "comment", "paragraph"),
        *(
            "heading",
            "paragraph",
            "fence_open",
            "code",
            "fence_close",
            "table_head",
            "table_row",
            "table_row",
        ),
        *("heading", "list_item", "list_item"),
    ]


def test_a_numbered_list_is_not_one_item():
    assert [block.text for block in blocks(lines_of("1. a\n2. b\n   goes on\n3. c"), "markdown")] == [
        "1. a\n",
        "2. b\n   goes on\n",
        "3. c",
    ]


def test_a_year_at_the_start_of_a_wrapped_line_is_no_list_item():
    text = "It was founded in the year\n1986. It moved later."
    assert [block.kind for block in blocks(lines_of(text), "markdown")] == ["paragraph"]


def test_a_text_without_a_blank_line_comes_in_bounded_blocks():
    for text in ("a line of words\n" * 20_000, "word " * 60_000, "x" * 300_000):
        sizes = [len(block.text) for block in blocks(lines_of(text), "markdown")]
        assert max(sizes) <= 2 * MAX_BLOCK_CHARS
        assert sum(sizes) == len(text)


@settings(max_examples=100, deadline=None)
@given(st.lists(markdown_texts, max_size=6))
def test_chunks_of_a_stream_may_end_anywhere(chunks):
    assert "".join(rejoined(chunks)) == "".join(chunks)
    assert list(lines_of("".join(chunks))) == [line for chunk in rejoined(chunks) for line in lines_of(chunk)]
