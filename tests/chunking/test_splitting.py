"""Where long text is cut, and what a chunk repeats of the one before."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from tamis.types import Chunk, ChunkedDocument

Chunking = Callable[..., ChunkedDocument]


def repeated(before: Chunk, after: Chunk) -> str:
    """What ``after`` repeats of ``before``."""
    return before.text[after.start - before.start :] if after.start < before.end else ""


def test_paragraphs_are_kept_whole_where_they_fit(plain: Chunking) -> None:
    paragraphs = [f"Paragraph {number}. " + "It goes on and on. " * (number % 7 + 8) for number in range(40)]
    document = plain("\n\n".join(map(str.strip, paragraphs)), chunk_overlap=0)
    whole = [part for chunk in document.chunks for part in chunk.text.split("\n\n")]
    assert whole == [paragraph.strip() for paragraph in paragraphs]


@pytest.mark.parametrize("between", ["\n\n", "\n \t\n", "\r\n\r\n", "\r\r", "\n\n\n\n\n"])
def test_a_blank_line_is_blank_whatever_ends_it(plain: Chunking, between: str) -> None:
    paragraph = "No full stop here but many words " * 18
    document = plain(between.join([paragraph.strip()] * 6), chunk_overlap=0)
    assert [chunk.text for chunk in document.chunks] == [paragraph.strip()] * 6


def test_a_long_paragraph_is_cut_behind_sentences(plain: Chunking) -> None:
    text = " ".join(f"Sentence number {number} says something to somebody." for number in range(200))
    document = plain(text, chunk_overlap=0)
    assert all(chunk.text.startswith("Sentence number") for chunk in document.chunks)
    assert all(chunk.text.endswith("somebody.") for chunk in document.chunks)


@pytest.mark.parametrize(
    "sentence",
    [
        "これは日本語の文です。",
        "这是一个句子！",
        "「彼は言った。」",
        "هل هذا سؤال؟ ",
        "यह एक वाक्य है। ",
        "Is it one? ",
        'He said "stop." ',
        "It ended (at last.) ",
        "Really?! ",
    ],
)
def test_sentences_end_as_their_script_has_it(plain: Chunking, sentence: str) -> None:
    document = plain(sentence * 600, chunk_overlap=0)
    assert len(document.chunks) > 3
    assert all(chunk.text.startswith(sentence[:3]) for chunk in document.chunks)
    assert all(chunk.text.endswith(sentence.strip()) for chunk in document.chunks)


@pytest.mark.parametrize(
    "phrase",
    [
        "as Mr. Smith and Dr. Who said to J. Doe, ",
        "e.g. Foo or i.e. Bar, ",
        "version 1.2.3 of node.js, ",
        "see No. 5, ",
    ],
)
def test_an_abbreviation_ends_no_sentence(plain: Chunking, phrase: str) -> None:
    sentence = phrase * 6 + "and that was it. "
    document = plain(("The text begins " + sentence) * 30, chunk_overlap=0)
    assert all(chunk.text.startswith("The text begins") for chunk in document.chunks)


def test_without_sentences_words_stay_whole(plain: Chunking) -> None:
    words = [f"word{number}" for number in range(3000)]
    document = plain(" ".join(words), chunk_overlap=0)
    assert [word for chunk in document.chunks for word in chunk.text.split()] == words
    assert all(len(chunk.text) > 750 for chunk in document.chunks[:-2])


def test_a_word_longer_than_a_chunk_is_cut_and_nothing_is_lost(plain: Chunking) -> None:
    document = plain("a " + "x" * 5000 + " b", chunk_chars=500)
    assert all(len(chunk.text) <= 500 for chunk in document.chunks)
    assert "x" * 5000 in "".join(chunk.text for chunk in document.chunks)


@pytest.mark.parametrize(
    "grapheme", ["👨\u200d👩\u200d👧\u200d👦", "e\u0301\u0327", "🇫🇷", "กำ", "각", "क्षि", "\ud83d\ude00"]
)
def test_text_without_spaces_is_cut_between_graphemes(plain: Chunking, grapheme: str) -> None:
    document = plain(grapheme * 500, chunk_chars=100, chunk_overlap=0)
    assert all(chunk.text == grapheme * (len(chunk.text) // len(grapheme)) for chunk in document.chunks)
    assert sum(len(chunk.text) for chunk in document.chunks) == 500 * len(grapheme)


def test_a_grapheme_longer_than_a_chunk_is_kept_whole(plain: Chunking) -> None:
    monster = "a" + "\u0301" * 500
    assert monster in [
        chunk.text for chunk in plain(f"{monster}b" + "c" * 100, chunk_chars=100, chunk_overlap=0).chunks
    ]


def test_thai_is_cut_at_spaces_where_it_has_any(plain: Chunking) -> None:
    phrase = "ภาษาไทยไม่เว้นวรรคระหว่างคำ"
    document = plain(f"{phrase} " * 100, chunk_overlap=0)
    assert all(chunk.text.endswith(phrase) and chunk.text.startswith(phrase) for chunk in document.chunks)


def test_the_last_part_is_no_scrap(plain: Chunking) -> None:
    for length in range(105, 205, 5):
        parts = plain("word " * length, chunk_chars=500, chunk_overlap=0).chunks
        assert len(parts) in (2, 3)
        assert min(len(part.text) for part in parts) >= 120


def test_overlap_repeats_whole_sentences(plain: Chunking) -> None:
    text = " ".join(f"Sentence {number} is here." for number in range(1000))
    document = plain(text, chunk_chars=800, chunk_overlap=100)
    for before, after in pairwise(document.chunks):
        common = repeated(before, after)
        assert 70 < len(common) <= 100
        assert common.startswith("Sentence")
        assert common.endswith(".")


def test_overlap_repeats_whole_words_where_no_sentence_is_short_enough(plain: Chunking) -> None:
    words = [f"word{number}" for number in range(2000)]
    document = plain(" ".join(words), chunk_chars=400, chunk_overlap=50)
    for before, after in pairwise(document.chunks):
        common = repeated(before, after)
        assert 40 < len(common) <= 50
        assert set(common.split()) <= set(words)


def test_overlap_in_code_repeats_whole_lines(code: Chunking) -> None:
    document = code(
        "".join(f"name_{number} = {number}\n" for number in range(300)), chunk_chars=400, chunk_overlap=60
    )
    for before, after in pairwise(document.chunks):
        assert repeated(before, after).startswith("name_")
        assert before.text[after.start - before.start - 1] == "\n"


def test_without_overlap_nothing_is_repeated(plain: Chunking) -> None:
    document = plain("Some words in a sentence. " * 500, chunk_overlap=0)
    assert all(before.end <= after.start for before, after in pairwise(document.chunks))


def test_sections_do_not_overlap(markdown: Chunking) -> None:
    document = markdown("".join(f"# Part {n}\n\n{'Some words here. ' * 60}\n\n" for n in range(5)))
    for before, after in pairwise(document.chunks):
        assert bool(repeated(before, after)) == (before.heading_path == after.heading_path)


def test_whole_code_is_not_repeated(markdown: Chunking) -> None:
    fence = "```\n" + "x = 1\n" * 80 + "```"
    document = markdown(f"{fence}\n\n{'Some words here. ' * 40}\n\n{fence}\n")
    assert "".join(chunk.text for chunk in document.chunks).count("x = 1") == 160


def test_an_overlap_of_more_than_half_a_chunk_counts_as_half(plain: Chunking) -> None:
    text = "Some words. " * 500
    assert plain(text, chunk_chars=100, chunk_overlap=99) == plain(text, chunk_chars=100, chunk_overlap=50)


def test_whitespace_without_end_is_left_out(plain: Chunking) -> None:
    document = plain("a" + " " * 100_000 + "b" + "\n" * 100_000 + "    " * 1000 + "c")
    assert [chunk.text for chunk in document.chunks] == ["a", "b", "c"]


@pytest.mark.parametrize("space", ["\v", "\f", "\u2028", "\x85"])
def test_only_line_feeds_and_carriage_returns_end_lines(plain: Chunking, space: str) -> None:
    (chunk,) = plain(f"a{space}b\r\nc\rd\ne").chunks
    assert chunk.lines == (1, 4)
