"""Sentences of scripts that end them in different ways; where each ends was decided by reading, not by our own output."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings

from tamis.compress.sentences import MAX_SENTENCE_CHARS, sentences
from tests.compress.texts import markdown_texts


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "expected",
    [
        ["Dr. Smith paid $3.50 to Mr. Jones.", "He left!", "Why?"],
        ["See http://a.example/b.c?d=1 first.", "Then call foo.bar() twice."],
        ["Version 1.2.3 is out.", "Get it today."],
        ["今天天气很好。", "我们去公园吧！", "你来吗？"],
        ["他用的是 v1.2 版本。", "然后就结束了！"],
        ["今日は良い天気です。", "公園へ行きましょう！", "来ますか？"],
        ["안녕하세요.", "저는 학생입니다.", "정말요?"],
        ["ما اسمك؟", "اسمي أحمد.", "أعيش في القاهرة، وهي مدينة كبيرة."],
        ["یہ جملہ ہے۔", "دوسرا جملہ ہے۔"],
        ["यह एक वाक्य है।", "यह दूसरा वाक्य है॥", "क्या?"],
        ["Подождите!", "Г. Иванов пришёл.", "Конец."],
        ["Τι είναι;", "Καλά.", "Ναι."],
        ["នេះជាប្រយោគ។", "នេះជាប្រយោគទីពីរ។"],
        ["วันนี้อากาศดีมาก", "เราไปเดินเล่นที่สวนสาธารณะ", "แต่ฝนตกหนักมาก", "ดังนั้นเราจึงกลับบ้าน"],
        ["สวัสดีครับ", "ผมชื่อสมชาย"],
    ],
)
@pytest.mark.parametrize("spaced", [True, False])
def test_sentences_end_where_their_script_ends_them(expected, spaced):
    unspaced_script = "。" in expected[0]
    text = ("" if unspaced_script and not spaced else " ").join(expected)
    assert split(text) == expected


def test_a_thai_space_beside_a_number_or_a_name_ends_no_sentence():
    text = "ทีมรับเสียไป 308 คะแนน และ ได้แก่ โทมัส เดวิส"
    assert split(text) == [text]


def test_a_wrapped_line_goes_on_and_a_short_one_ends():
    wrapped = "The old key stays valid for a\nweek and no longer. It is then\nremoved."
    assert split(wrapped) == ["The old key stays valid for a\nweek and no longer.", "It is then\nremoved."]
    assert split("name = tamis\nhome = /srv/corpora\nkind = local and small and quiet") == [
        "name = tamis",
        "home = /srv/corpora",
        "kind = local and small and quiet",
    ]


def test_each_speaker_in_a_transcript_starts_a_sentence():
    assert split("Ines: I have the key here with me\nTomas: good") == [
        "Ines: I have the key here with me",
        "Tomas: good",
    ]


def test_a_run_on_sentence_is_cut_at_its_weaker_marks():
    clause = "the key is here and the lock is there, "
    parts = split(clause * 40)
    assert all(len(part) <= MAX_SENTENCE_CHARS for part in parts)
    assert all(part.endswith(",") for part in parts)


def test_a_word_longer_than_any_sentence_stays_whole():
    word = "x" * (2 * MAX_SENTENCE_CHARS)
    assert any(word in part for part in split(f"before {word} after"))


@settings(max_examples=200, deadline=None)
@given(markdown_texts)
def test_sentences_hold_all_but_white_space(text):
    spans = sentences(text)
    assert all(before.end <= after.start for before, after in pairwise(spans))
    held = "".join(text[start:end] for start, end in spans)
    assert "".join(held.split()) == "".join(text.split())
