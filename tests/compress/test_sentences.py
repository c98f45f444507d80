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


@pytest.mark.parametrize(
    "held", ["00:00:26", "https://a.example/b:c;d,e", "1,234,567", "16:9", "key:value;other:value"]
)
def test_a_long_sentence_is_never_cut_inside_a_time_a_url_or_a_number(held):
    text = f"the gate at {held} opens " * 60
    assert len(split(text)) > 1
    assert " ".join(split(text)).split() == text.split()


def test_full_width_marks_part_clauses_without_white_space():
    parts = split("钥匙每九十天更换一次，旧钥匙仍然有效；" * 40)
    assert len(parts) > 1
    assert all(part.endswith(("，", "；")) for part in parts)


@pytest.mark.parametrize(
    "lines",
    [
        [
            "2026-03-01 00:00:26 INFO gate opened by Ines",
            "2026-03-01 00:01:07 ERROR key refused. Retrying at 00:01:09 with the old one and more of that",
            "2026-03-02 11:14:00 INFO gate closed",
        ],
        ["[00:14] gate opened", "[00:15] key refused and", "[00:16] gate closed again"],
        [
            "Mar  1 00:00:26 gate sshd[41]: key refused",
            "Apr 12 00:00:26 gate sshd[42]: key taken and",
            "Apr 12 00:00:27 gate sshd[43]: gone",
        ],
        ["WARN key is old and it is", "INFO key is new and it is", "ERROR key is lost"],
        ["10.0.0.1 GET /keys and", "10.0.0.27 GET /gates and", "10.0.1.1 GET /keys and so"],
    ],
)
def test_each_line_of_a_log_is_a_unit(lines):
    assert split("\n".join(lines) + "\n") == lines


def test_quoted_prose_is_no_log():
    text = "> The old key stays valid for a\n> week and no longer than that\n> week. It is then removed."
    assert split(text) != text.split("\n")


def test_data_without_white_space_is_cut_between_its_values():
    text = (
        "["
        + ",".join(f'{{"id":{number},"name":"gate {number}","open":"09:30"}}' for number in range(90))
        + "]"
    )
    parts = split(text)
    assert len(parts) > 3
    assert all(part.count('"') % 2 == 0 for part in parts)
