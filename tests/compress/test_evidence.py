"""Extract: which part comes first when little fits; what the requirement says has to be in the result, or must not."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tamis.compress import CompressItem, compress
from tamis.errors import BudgetError
from tests.compress.test_properties import open_fence

ANSWER = "Keys are rotated every 90 days."
QUESTION = "how often are keys rotated?"
KEYS = f"""---
title: Key rotation
tags: [keys, rotation]
---
# Key rotation

{ANSWER}

## How keys rotate

The job `rotate-keys` runs every night. It reads the list of keys and writes a report to the security channel.

```bash
# rotate keys
rotate-keys --keys all --often
keys list --rotated
keys show rotation
```

## Exceptions

- The root key stays in the safe.
"""
INSTALL = (
    "---\ntitle: Install keys\n---\n# Prerequisites\n\n# Steps\n\nRun the installer. Then set up your keys.\n"
)
LUNCH = "# Lunch\n\nSoup is served at noon. Coffee costs nothing.\n"
FAQ = "# How often are keys rotated?\n\nSee above.\n"
CORPUS = [
    CompressItem(text, path=f"notes/{name}.md")
    for name, text in (("keys", KEYS), ("install", INSTALL), ("lunch", LUNCH), ("faq", FAQ))
]


@pytest.mark.parametrize("budget", range(30, 200, 10))
def test_the_answer_stays_in_whatever_more_fits(budget):
    assert ANSWER in compress(CORPUS[0], budget, query=QUESTION).text
    assert ANSWER in compress(CORPUS, budget, query=QUESTION).text


@pytest.mark.parametrize("budget", range(10, 240, 10))
def test_no_source_is_kept_for_its_headings_or_front_matter_alone(budget):
    try:
        result = compress(CORPUS, budget, query=QUESTION)
    except BudgetError:
        return
    assert {unit.source for unit in result.units if unit.kind not in ("heading", "frontmatter")} == {
        part.source for part in result.texts
    }
    assert all(unit.kind != "frontmatter" for unit in result.units)
    assert "Prerequisites" not in result.text or len(result.truncated) == 0


def test_a_lower_source_does_not_displace_the_best_part_of_the_first():
    first = f"# Rotation of keys\n\nThe gate is closed at night. {ANSWER} The cat sleeps in the hall.\n"
    others = [f"# Keys\n\nHow often keys are rotated was asked in {town}.\n" for town in ("Lyon", "Porto")]
    items = [CompressItem(text, path=f"{place}.md") for place, text in enumerate([first, *others])]
    for budget in range(32, 100, 6):
        assert ANSWER in compress(items, budget, query=QUESTION).text


def test_headers_are_weighed_before_lower_sources_are_heard():
    handbook = "/handbook-of-the-department-for-security-and-safety/chapter"
    items = [
        CompressItem(
            f"{ANSWER} Keys are rotated by the night job. Keys that are rotated stay valid for a week.",
            path="a.md",
        ),
        *(
            CompressItem(f"Keys are rotated, says page {n}.", path=f"{handbook}/{n}/page.md", title=handbook)
            for n in range(6)
        ),
    ]
    result = compress(items, 110, query=QUESTION)
    assert items[0].text in result.text


def test_an_answer_is_kept_without_its_heading_where_both_do_not_fit():
    text = f"# {'Everything about the keys of all gates ' * 4}\n\n{ANSWER} The cat sleeps.\n"
    assert ANSWER in compress(text, 16, query=QUESTION).text


@pytest.mark.parametrize("text", ["# T\n\nA sentence about keys and about gates.\n", KEYS])
def test_a_budget_for_a_heading_alone_is_too_small(text):
    with pytest.raises(BudgetError) as caught:
        compress(text, 5, query="keys")
    assert "about" in caught.value.hint


def test_where_nothing_can_be_extracted_the_text_is_cut():
    text = f"See [the keys](https://example.org/{'very/' * 40}keys.html) first."
    result = compress(text, 20, query="the keys")
    assert "See the keys first." in result.text
    assert result.tokens_after <= 20
    assert result.warnings


short = st.sampled_from(
    [
        *("Yes.", "Thank you!", "thank you", "**Thank you**", "Keys rotate.", "Keys do not rotate.", "No."),
        *("The gate opens at nine.", "Keys rotate after 90 days.", "Keys rotate after 30 days."),
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(short, min_size=1, max_size=8), min_size=1, max_size=4), st.integers(6, 60))
@example(
    [
        [
            "Yes.",
            "**Thank you**",
            "The gate opens at nine.",
            "Yes.",
            "Yes.",
            "Keys do not rotate.",
            "Keys rotate after 90 days.",
        ]
    ],
    33,
)
def test_no_words_are_paid_twice_while_others_are_left_out(texts, budget):
    items = [CompressItem("\n\n".join(sentences)) for sentences in texts]
    try:
        result = compress([*items, "Something else about rotation of keys."], budget, query="keys rotate")
    except BudgetError:
        return
    said = [" ".join(re.findall(r"\w+", unit.text.lower())) for unit in result.units]
    every = {" ".join(re.findall(r"\w+", sentence.lower())) for sentences in texts for sentence in sentences}
    if not every <= set(said):
        assert len(said) == len(set(said))


def test_a_short_sentence_that_another_source_repeats_is_paid_once():
    result = compress(["Keys rotate. Ask Ines.", "Keys rotate. Ask Tomas."], 60, query="keys rotate")
    assert result.text.count("Keys rotate.") == 1
    assert "Ask Tomas." in result.text


def test_lines_of_code_and_rows_that_are_written_twice_are_no_copies():
    code = "def one():\n    return key\n\ndef two():\n    return key\n"
    assert compress(CompressItem(code, path="a.py"), 40, query="return key").text.count("return key") == 2
    table = "| key | days |\n|---|---|\n| mail | 90 |\n| mail | 90 |\n"
    assert compress(CompressItem(table, path="a.md"), 60, query="mail").text.count("| mail | 90 |") == 2


def test_the_line_that_answers_is_kept_of_a_long_function():
    steps = [f"    step_{number} = compute({number}, gate)" for number in range(600)]
    steps[300] = "    retry_limit = 7  # tries before the alarm"
    text = "def run(gate):\n" + "\n".join(steps) + "\n"
    result = compress(CompressItem(text, path="run.py"), 120, query="how many tries before the alarm")
    assert steps[300] in result.text.split("\n")
    written = set(text.split("\n")) | {"…", ""}
    body = result.texts[0].text
    assert set(body.split("\n")) <= written


def test_the_line_that_answers_is_kept_of_a_long_listing_between_its_fences():
    lines = [f"key_{number}: value {number}" for number in range(400)]
    lines[200] = "retry_limit: 7"
    text = "# Settings\n\n```yaml\n" + "\n".join(lines) + "\n```\n\nThe cat sleeps.\n"
    result = compress(text, 60, query="retry limit")
    assert "retry_limit: 7" in result.text.split("\n")
    assert result.text.count("```") == 2
    assert open_fence(result.text) is None


@pytest.mark.parametrize("path", ["gates.json", None])
def test_the_value_that_answers_is_kept_of_data_on_one_line(path):
    records = [{"id": number, "name": f"gate {number}", "note": "nothing"} for number in range(2_500)]
    records[1_700] = {"id": 1_700, "name": "northern gate", "retry_limit": 7}
    text = json.dumps(records, separators=(",", ":"))
    assert len(text) > 100_000
    result = compress(CompressItem(text, path=path), 100, query="retry limit of the northern gate")
    assert '"name":"northern gate","retry_limit":7' in result.text
    assert result.tokens_after <= 100
    assert all(text[unit.span.start : unit.span.end] == unit.text for unit in result.units)


def test_prose_made_of_addresses_is_kept_by_whole_addresses():
    urls = [f"https://example.org/path/{number}/page-{number}.html" for number in range(300)]
    result = compress(" ".join(urls), 60, query="page 41")
    assert urls[41] in result.text
    assert set(result.text.split()) <= {*urls, "…"}


def test_a_sentence_longer_than_the_budget_is_kept_in_part_where_nothing_else_answers():
    text = (
        "The gate is painted green, " * 20 + f"keys are rotated every 90 days, {'and so on, ' * 20}at last."
    )
    result = compress(f"The cat sleeps. {text} The soup is hot.", 40, query="when are the keys rotated")
    assert "keys are rotated every 90 days" in result.text


def test_the_record_that_answers_is_kept_of_a_log_whole():
    lines = [
        f"2026-03-0{1 + number // 60} 00:{number % 60:02}:26 INFO gate {number} opened"
        for number in range(240)
    ]
    lines[90] = "2026-03-02 00:30:26 ERROR key refused, see http://a.example/x:y;z"
    result = compress(CompressItem("\n".join(lines), path="gate.log"), 60, query="when was the key refused")
    assert lines[90] in result.text
    assert {unit.text for unit in result.units} <= set(lines)
