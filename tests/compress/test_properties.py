"""What holds for every text, budget, level, form and order."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tamis.compress import Compressed, CompressItem, compress, counter
from tamis.compress.values import FORMS, LEVELS, ORDERS
from tamis.errors import BudgetError
from tests.compress.texts import markdown_texts

QUERY = "how often do keys rotate"

relaxed = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
budgets = st.integers(1, 120)
levels = st.sampled_from(LEVELS)
items = st.lists(
    st.builds(
        CompressItem,
        text=markdown_texts,
        path=st.sampled_from([None, "notes/keys.md", "src/keys.py", "log.txt", "guide.rst"]),
        title=st.sampled_from(["", "Keys and \n how they rotate"]),
        heading_path=st.sampled_from([(), ("Security", "Rotation")]),
        start=st.integers(0, 500),
        line=st.integers(1, 50),
    ),
    max_size=4,
)


def compressed_or_none(*args, **kwargs) -> Compressed | None:
    """``None`` when nothing useful fits, which is what the error says."""
    try:
        return compress(*args, **kwargs)
    except BudgetError:
        return None


@relaxed
@given(
    items,
    budgets,
    levels,
    st.sampled_from(ORDERS),
    st.sampled_from(FORMS),
    st.sampled_from(["bundled", "chars/4"]),
)
def test_the_final_text_never_has_more_tokens_than_the_budget(
    given_items, budget, level, order, form, tokenizer
):
    result = compressed_or_none(
        given_items, budget, query=QUERY, level=level, order=order, form=form, tokenizer=tokenizer
    )
    if result:
        assert counter(tokenizer).count(result.text) == result.tokens_after <= budget


@relaxed
@given(items, budgets, levels)
def test_units_are_verbatim_slices_of_their_source(given_items, budget, level):
    result = compressed_or_none(given_items, budget, query=QUERY, level=level)
    for unit in result.units if result else ():
        item = given_items[unit.source]
        start, end = unit.span.start - item.start, unit.span.end - item.start
        assert item.text[start:end] == unit.text
        assert unit.path == item.path
        assert unit.lines.first == item.line + item.text.count("\n", 0, start)
        assert unit.lines.last == unit.lines.first + unit.text.count("\n")
        assert unit.text in result.text


@relaxed
@given(items, budgets, levels)
def test_units_keep_the_order_of_reading_and_never_overlap(given_items, budget, level):
    result = compressed_or_none(given_items, budget, query=QUERY, level=level)
    if result:
        for before, after in pairwise(result.units):
            assert before.source < after.source or (
                before.source == after.source and before.span.end <= after.span.start
            )


@relaxed
@given(markdown_texts, budgets, levels)
def test_compressing_again_changes_nothing(text, budget, level):
    once = compressed_or_none(text, budget, query=QUERY, level=level)
    if once:
        assert compress(once.text, budget, query=QUERY, level=level).text == once.text
        assert compress(once, budget, query=QUERY, level=level) == once


@relaxed
@given(items, budgets, levels, st.sampled_from(FORMS))
def test_compressing_a_result_again_gives_it_back(given_items, budget, level, form):
    once = compressed_or_none(given_items, budget, query=QUERY, level=level, form=form)
    if once:
        assert compress(once, budget, query=QUERY, level=level, form=form) is once


@relaxed
@given(items, budgets, levels)
def test_every_item_is_whole_truncated_or_dropped(given_items, budget, level):
    result = compressed_or_none(given_items, budget, query=QUERY, level=level)
    if result:
        kept = {part.source for part in result.texts}
        assert {part.source for part in result.texts if not part.whole} == set(result.truncated)
        assert kept | set(result.dropped) == set(range(len(given_items)))
        assert not kept & set(result.dropped)


fenced = st.lists(
    st.sampled_from(
        [
            "Keys rotate after ninety days.\n\n",
            "Words to fill the page, and more of them.\n\n",
            "```python\nkey = load()\n\nkey.rotate()\n```\n\n",
            "````\n```\nkey = 1\n````\n\n",
            "~~~ sh\nrotate keys\n~~~\n\n",
            "- step one\n- step two\n\n",
            "```\n" + "rotate(key)  # days\n\n" * 40 + "```\n\n",
        ]
    ),
    min_size=1,
    max_size=12,
).map("".join)


@relaxed
@given(fenced, st.integers(10, 200), levels)
def test_code_fences_stay_balanced(text, budget, level):
    result = compressed_or_none(text, budget, query=QUERY, level=level)
    assert not result or open_fence(result.text) is None


@relaxed
@given(fenced, st.integers(10, 200), levels)
def test_no_word_code_line_or_table_row_is_cut(text, budget, level):
    result = compressed_or_none(text, budget, query=QUERY, level=level)
    if result:
        known = set(re.findall(r"\S+", text))
        assert set(re.findall(r"\S+", result.text)) <= known | {"…", "[truncated]"}


def open_fence(text: str) -> str | None:
    """The code fence that a Markdown reader would find still open at the end."""
    fence = None
    for line in text.split("\n"):
        marks = re.match(r" *(`{3,}|~{3,})", line)
        if fence is None:
            fence = marks[1] if marks else None
        elif marks and marks[1].startswith(fence) and not line.strip().strip(fence[0]):
            fence = None
    return fence


@pytest.mark.parametrize("level", LEVELS)
def test_nothing_given_gives_nothing(level):
    for nothing in ([], "", " \n\n "):
        result = compress(nothing, 10, query=QUERY, level=level)
        assert (result.text.strip(), result.units, result.tokens_after) == ("", (), 0)
