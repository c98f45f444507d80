"""Strip: what a model does not need goes, what is code stays."""

from __future__ import annotations

import pytest

from tamis.compress import CompressItem, compress
from tests.compress.texts import GUIDE


def stripped(text: str, path: str | None = None) -> str:
    texts = compress(CompressItem(text, path=path), 10_000, level="strip").texts
    return texts[0].text if texts else ""


def test_a_document_is_stripped_of_front_matter_badges_comments_links_emphasis_and_heading_marks():
    assert stripped(GUIDE) == (
        "Key handling\n\n"
        "Keys live in the vault. Never put one into a chat.\n\n"
        "Rotation\n\n"
        "Every key is rotated after ninety days. The old key stays valid for a week. "
        "Ask the owner before you revoke one.\n\n"
        "```python\n"
        "# **not** emphasis, [not](a link)\n"
        "def rotate(key):\n"
        "    key.replace(days=90)\n\n\n"
        "    return key\n"
        "```\n\n"
        "| key | owner | days |\n|---|---|---|\n| mail | Ines | 90 |\n| backup | Tomas | 365 |\n\n"
        "Lunch\n\n"
        "- Soup is served at noon.\n- Coffee costs nothing."
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a **b** c", "a b c"),
        ("a ***b*** *c* __d__ _e_ ~~f~~", "a b c d e f"),
        ("snake_case_name and 2*3*4", "snake_case_name and 2*3*4"),
        ("5 * 3 = 15 * 1", "5 * 3 = 15 * 1"),
        (r"a \*literal\* star", r"a \*literal\* star"),
        ("`code *span* [x](y)` here", "`code *span* [x](y)` here"),
        ("see [the docs](https://a.example/b_(c) 'title').", "see the docs."),
        ("see [the docs][1] and ![a plan](plan.png)", "see the docs and a plan"),
        ("[**bold** link](x) and [![in](a.png) a link](b)", "bold link and in a link"),
        ("a list[0] and f(x)[y]", "a list[0] and f(x)[y]"),
        ("text <!-- hidden --> more", "text  more"),
        ("<b>bold</b> and List<String>", "bold and List<String>"),
        ("## A heading ##\ntext", "A heading\ntext"),
        ("A heading\n=========\n\ntext", "A heading\n\ntext"),
        ("#hashtag is no heading", "#hashtag is no heading"),
        ("a\n\n***\n\nb", "a\n\nb"),
        ("a\n***\nb", "a\n\nb"),
        ("a  \nb\t\n\n\n\n\nc", "a\nb\n\nc"),
        ("text\n\n[1]: https://a.example 'title'\n", "text"),
        ('<p align="center">\n<img src="x.png">\n</p>\n\ntext', "text"),
        ("[![a](https://shields.io/a)](b) ![c](https://shields.io/c)\n\ntext", "text"),
        ("![a picture of the plan](plan.png)\n\ntext", "a picture of the plan\n\ntext"),
        ("+++\ntitle = 'x'\n+++\n\ntext", "text"),
        ("---\n\nno front matter, a rule\n\n---\n\ntext", "no front matter, a rule\n\ntext"),
        ("text\n\n---\nkey: value\n---\n\nmore", "text\n\nkey: value\n\nmore"),
        ("<!-- one\n\ntwo -->\n\ntext", "text"),
        ("<!-- never closed\n\ntext", "<!-- never closed\n\ntext"),
        ("text\n\n    indented *code*\n\nmore", "text\n\n    indented *code*\n\nmore"),
        ("~~~\n\n\n*code*\n~~~", "~~~\n\n\n*code*\n~~~"),
        ("````\n```\n*code*\n````\n*x*", "````\n```\n*code*\n````\nx"),
        ("```\n*code* that never ends", "```\n*code* that never ends"),
        ("# Überschrift\r\n\r\n*Text*\r\n", "Überschrift\n\nText"),
    ],
)
def test_markup_goes_and_words_stay(text, expected):
    assert stripped(text).replace("\r", "") == expected


def test_code_files_are_left_as_they_are():
    code = "# **kept**\n\n\n\ndef f(*args):  \n    return args  # [x](y)"
    assert stripped(code, "src/f.py") == code


def test_plain_text_has_no_markup():
    assert stripped("*not emphasis*\n\n\n\n[a](b)", "notes.txt") == "*not emphasis*\n\n[a](b)"


def test_restructured_text_headings_lose_their_lines():
    text = "Keys\n====\n\nText.\n\nRotation\n--------\n\nMore.\n"
    assert stripped(text, "guide.rst") == "Keys\n\nText.\n\nRotation\n\nMore."


@pytest.mark.parametrize(
    "made", ["[" * 4000 + "a" + "](b)" * 4000, "**a* " * 4000, "<!--" * 4000, "`" * 9000, "> " * 9000]
)
def test_text_made_to_take_forever_does_not(made):
    assert len(compress(made, 100_000, level="strip").text) <= len(made)


def test_stripped_text_that_does_not_fit_is_cut_with_a_warning():
    result = compress(GUIDE, 20, level="strip")
    assert result.text.endswith("[truncated]")
    assert result.warnings
    assert not compress(GUIDE, 1000, level="strip").warnings
