"""Extract: what carries the answer stays, whole and in its place."""

from __future__ import annotations

import pytest

from tamis.compress import CompressItem, compress
from tamis.errors import BudgetError, InputError
from tamis.types import Hit, Lines, Passage, SearchResult
from tests.compress.texts import GUIDE

FILLER = "The canteen opens at noon and closes at two. Nobody has seen the cat since Monday. "


def test_the_sentence_that_answers_survives_between_marks():
    text = FILLER * 3 + "The signing key is rotated every ninety days. " + FILLER.replace("noon", "one")
    result = compress(text, 14, query="How often do we rotate the signing key?")
    assert "… The signing key is rotated every ninety days. …" in result.text
    (unit,) = (unit for unit in result.units if "signing" in unit.text)
    assert text[unit.span.start : unit.span.end] == unit.text
    assert unit.score
    assert result.truncated == (0,)


def test_a_text_that_fits_stays_as_it_is():
    result = compress(GUIDE, 500, query="rotation")
    assert result.text == GUIDE
    assert result.ratio == 1.0
    assert [unit.kind for unit in result.units if unit.kind == "code"] == ["code"]


def test_a_unit_that_does_not_fit_is_skipped_not_a_full_stop():
    long = "The key is rotated " + "and rotated again " * 30 + "every day."
    text = f"{long} {FILLER} A key lives ninety days. {FILLER.replace('noon', 'one')}"
    result = compress(text, 20, query="key rotated days")
    assert "A key lives ninety days." in result.text
    assert "again" not in result.text


def test_copies_are_paid_once():
    said = "Every signing key has to be rotated after ninety days at most."
    again = "Every signing key has to be rotated, after ninety days at most!"
    other = "Every signing key has to be rotated after thirty days at most, says the audit."
    result = compress([said, again, other], 200, query="signing key rotated days")
    assert said in result.text
    assert again not in result.text
    assert other in result.text
    assert result.dropped == (1,)


def test_sentences_that_differ_in_a_number_or_a_negation_are_no_copies():
    sentences = [
        "The server in the first hall answers on port 8080 for all callers.",
        "The server in the first hall answers on port 9090 for all callers.",
        "The server in the first hall never answers on port 8080 for all callers.",
    ]
    result = compress(sentences, 200, query="which port does the server answer on")
    assert all(sentence in result.text for sentence in sentences)


def test_every_source_that_has_an_answer_is_heard():
    sources = [
        f"{FILLER} In {town} the signing key is rotated every {days} days. {FILLER.replace('cat', town)}"
        for town, days in (("Lyon", 30), ("Porto", 60), ("Turin", 90), ("Ghent", 45))
    ]
    result = compress(sources, 70, query="how often is the signing key rotated")
    assert [part.source for part in result.texts] == [0, 1, 2, 3]
    assert all(f"{days} days" in result.text for days in (30, 60, 90, 45))


def test_a_unit_comes_with_the_heading_above_it_and_knows_its_path():
    result = compress(GUIDE, 30, query="how long does the old key stay valid")
    assert result.text.count("## Rotation") == 1
    (unit,) = (unit for unit in result.units if "valid" in unit.text)
    assert unit.heading_path == ("Key handling", "Rotation")


def test_a_table_row_comes_with_the_tables_head():
    result = compress(GUIDE, 45, query="who owns the backup key: Tomas?")
    lines = result.text.splitlines()
    assert lines.index("| key | owner | days |") < lines.index("| backup | Tomas | 365 |")
    assert "|---|---|---|" in lines


def test_a_long_listing_is_kept_in_parts_between_its_fences():
    listing = "\n\n".join(
        f"def step_{n}():\n    return {n} * 'x'\n    # nothing to see here" for n in range(60)
    )
    text = f"# Steps\n\n```python\n{listing}\n```\n\n{FILLER}"
    result = compress(text, 400, query="step_41")
    assert "def step_41():\n    return 41 * 'x'\n" in result.text
    assert result.text.count("```") == 2
    assert "\n…\n" in result.text


def test_words_of_other_scripts_find_their_sentence():
    chinese = "今天天气很好。钥匙每九十天更换一次。我们去公园吧。小猫在睡觉。午饭很好吃。"
    assert "钥匙每九十天更换一次。" in compress(chinese, 14, query="钥匙多久更换").text
    thai = "วันนี้อากาศดีมาก เราไปเดินเล่นที่สวนสาธารณะ แต่กุญแจหมดอายุทุกเก้าสิบวัน ดังนั้นเราจึงกลับบ้าน"
    assert "แต่กุญแจหมดอายุทุกเก้าสิบวัน" in compress(thai, 26, query="กุญแจหมดอายุ", tokenizer="chars/4").text
    arabic = "الطقس جميل اليوم. يتغير المفتاح كل تسعين يوما. ذهبنا إلى الحديقة. القطة نائمة."
    assert "يتغير المفتاح كل تسعين يوما." in compress(arabic, 50, query="متى يتغير المفتاح؟").text


def test_a_query_that_nothing_matches_keeps_the_first_parts_and_says_so():
    result = compress([FILLER * 5, FILLER.replace("cat", "dog") * 5], 60, query="quantum chromodynamics")
    assert result.warnings
    assert result.text.startswith("The canteen")


def test_hits_are_placed_in_their_document():
    document = "# Keys\n\n" + FILLER * 3 + "\n\n## Rotation\n\nKeys rotate after ninety days. " + FILLER
    start = document.index("Keys rotate")
    hit = Hit(
        id="notes:7",
        corpus="notes",
        path="/notes/keys.md",
        score=1.0,
        chunk_index=7,
        char_start=start,
        char_end=len(document),
        lines=Lines(7, 7),
        heading_path=("Keys", "Rotation"),
        chunk_type="paragraph",
        title="Keys",
        text=document[start:],
        content_hash="ab" * 32,
        rank=1,
    )
    result = compress([hit], 60, query="when do keys rotate")
    unit = result.units[0]
    assert document[unit.span.start : unit.span.end] == unit.text == "Keys rotate after ninety days."
    assert (unit.path, unit.lines, unit.content_hash) == ("/notes/keys.md", (7, 7), "ab" * 32)
    assert unit.heading_path == ("Keys", "Rotation")
    assert "Sources:\n[1] /notes/keys.md:7-7 › Keys › Rotation" in result.text


def test_passages_and_strings_and_mappings_mix():
    passage = Passage(
        corpus="notes",
        path="a.md",
        title="A",
        text="Keys rotate.",
        lines=Lines(3, 3),
        char_start=10,
        char_end=22,
        content_hash="",
    )
    result = compress([passage, "Keys open doors.", {"snippet": "Keys get lost."}], 100, query="keys")
    assert [unit.text for unit in result.units] == ["Keys rotate.", "Keys open doors.", "Keys get lost."]
    assert result.units[0].span == (10, 22)


def test_a_search_result_is_compressed_as_its_hits():
    hits = tuple(
        Hit(
            id=f"notes:{number}",
            corpus="notes",
            path=f"{number}.md",
            score=1.0,
            chunk_index=0,
            char_start=0,
            char_end=len(FILLER),
            lines=Lines(1, 1),
            heading_path=(),
            chunk_type="paragraph",
            title="",
            text=FILLER,
            content_hash="",
            rank=number,
        )
        for number in (1, 2)
    )
    found = SearchResult(hits, "notes", "bge@1", 2, "hybrid")
    assert compress(found, 80, query="canteen") == compress(hits, 80, query="canteen")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"items": 7}, "int"),
        ({"items": [7]}, "item 0"),
        ({"items": [{"title": "no text"}]}, "no text"),
        ({"level": "squeeze"}, "squeeze"),
        ({"order": "random"}, "random"),
        ({"form": "pdf"}, "pdf"),
        ({"level": "extract", "query": "  "}, "query"),
        ({"max_tokens": 1.5}, "1.5"),
        ({"max_tokens": True}, "True"),
    ],
)
def test_bad_input_is_refused_with_a_hint(arguments, message):
    with pytest.raises(InputError, match=message) as caught:
        compress(**{"items": "text", "query": "q", **arguments})
    assert caught.value.hint


@pytest.mark.parametrize("budget", [0, -5])
def test_no_budget_is_too_small_a_budget(budget):
    with pytest.raises(BudgetError):
        compress("text", budget)


def test_a_budget_too_small_for_any_unit_says_what_the_smallest_needs():
    with pytest.raises(BudgetError) as caught:
        compress([CompressItem(FILLER, path="a.md")], 4, query="canteen")
    assert "about" in caught.value.hint


def test_a_blank_query_is_no_query():
    assert compress("# Keys", 10, query=" ").level == "truncate"


@pytest.mark.parametrize("budget", range(11, 40))
def test_the_answer_stays_when_the_budget_almost_holds_its_heading_too(budget):
    text = "# Keys\nAlpha is here. We rotate them every ninety days at noon. Beta is there."
    assert "We rotate them every ninety days at noon." in compress(text, budget, query="rotate days").text


def test_half_a_surrogate_pair_is_refused():
    with pytest.raises(InputError, match="item 1 has half a surrogate pair at character 5"):
        compress(["Whole.", "Half \ud83d of one."], 60, query="half")


def test_the_text_of_a_mapping_is_where_it_holds_some():
    assert compress({"text": "", "content": "Keys rotate."}, 20, query="keys").text == "Keys rotate."


def test_a_budget_that_only_holds_what_does_not_answer_says_so():
    text = "Alpha is here. We rotate them every ninety days at noon. Beta is there."
    warning = "no part that has a word of the query fits the budget: others are kept"
    assert compress(text, 7, query="rotate days").warnings == (warning,)
    assert compress(text, 13, query="rotate days").warnings == ()
