"""Truncate: strip, then cut at the end of a sentence or line."""

from __future__ import annotations

import pytest

from tamis.compress import compress, counter
from tamis.errors import BudgetError
from tests.compress.texts import GUIDE


def test_the_longest_beginning_that_fits_is_kept_and_marked():
    text = "One two three. Four five six. Seven eight nine."
    # BERT's tokens: 4 to a sentence, and "[truncated]" is 3: bracket, word, bracket.
    result = compress(text, 11)
    assert result.text == "One two three. Four five six. [truncated]"
    assert (result.tokens_before, result.tokens_after, result.truncated) == (12, 11, (0,))
    assert result.ratio == 11 / 12


def test_text_that_fits_is_only_stripped():
    result = compress("# Keys\n\nThey **rotate**.", 100)
    assert result.text == "Keys\n\nThey rotate."
    assert (result.level, result.truncated, result.dropped) == ("truncate", (), ())


def test_code_is_cut_after_a_line_and_its_fence_closed():
    code = "```python\nfirst = 1\nsecond = 2\nthird = 3\nfourth = 4\n```"
    # 4 tokens for the opening line, 3 for each other line, 3 for the closing one and 3 for the mark
    assert compress(code, 16).text == "```python\nfirst = 1\nsecond = 2\n```\n[truncated]"
    assert compress(code, 19).text == code


def test_memories_are_kept_in_order_until_the_budget_is_spent():
    memories = [
        {"id": str(n), "content": f"Memory number {n} says this. And it says that."} for n in range(5)
    ]
    result = compress(memories, 60)
    assert [part.source for part in result.texts] == [0, 1, 2]
    assert result.dropped == (3, 4)
    assert result.text.startswith("[1] Memory number 0 says this. And it says that.\n\n[2] ")
    assert "Sources:\n[1] 0\n[2] 1\n[3] 2" in result.text


def test_the_memory_that_does_not_fit_whole_is_marked():
    memories = [{"content": "The first one is short."}, {"content": "Second memory. " * 50}]
    result = compress(memories, 40)
    assert result.truncated == (1,)
    assert result.texts[1].text.endswith("Second memory. [truncated]")
    assert not result.texts[1].whole


def test_a_budget_too_small_for_a_sentence_is_a_clear_error():
    with pytest.raises(BudgetError, match="nothing fits in 3 tokens") as caught:
        compress("This sentence has more tokens than that. So does this one.", 3)
    assert caught.value.code == "BUDGET_TOO_SMALL"
    assert "tokens" in caught.value.hint


@pytest.mark.parametrize("budget", range(8, 200, 7))
def test_a_larger_budget_keeps_at_least_as_much(budget):
    small, large = compress(GUIDE, budget), compress(GUIDE, budget + 7)
    assert large.text.startswith(small.text.removesuffix("[truncated]").removesuffix("```\n").rstrip())


def test_units_of_stripped_text_are_what_is_left_between_the_marks():
    result = compress("Keys live in the [vault](https://a.example). **Never** share.", 100)
    assert [unit.text for unit in result.units] == ["Keys live in the", "vault", ".", "Never", "share."]


def test_an_estimate_may_stand_in_for_the_tokenizer():
    result = compress("One two three. Four five six. Seven eight nine.", 11, tokenizer="chars/4")
    assert result.tokenizer == "chars/4"
    assert result.tokens_after == counter("chars/4").count(result.text) <= 11
