"""What kind of part answers what kind of question."""

from __future__ import annotations

import pytest

from tamis.compress import compress

CODE = "```bash\nkeys list --rotated\n```\n"


def test_a_question_in_plain_words_is_answered_by_prose_and_one_with_a_name_by_code():
    text = f"# Keys\n\nThe list of rotated keys is printed at night, page by page.\n\n{CODE}"
    assert "printed at night" in compress(text, 24, query="where is the list of rotated keys").text
    assert "keys list --rotated" in compress(text, 24, query="keys list --rotated").text


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("how long do keys live?", "Keys live for ninety days."),
        ("When do keys die?", "Keys die in March."),
        ("how many keys die?", "Of keys, 3 die."),
    ],
)
def test_a_question_for_a_quantity_is_answered_by_one(query, answer):
    text = f"Keys live and die at the gate. {answer} Keys live and die in the hall."
    assert answer in compress(text, 13, query=query).text
