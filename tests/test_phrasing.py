import pytest

from tamis.phrasing import is_statement


@pytest.mark.parametrize(
    ("query", "stated"),
    [
        ("Rotating signing keys every ninety days reduces the risk of forged tokens.", True),
        ("Does rotating signing keys every ninety days reduce the risk of forged tokens", False),
        ("Rotating signing keys every ninety days reduces the risk of forged tokens?", False),
        ("signing key rotation", False),
    ],
)
def test_a_statement_is_told_from_a_question_and_from_keywords(query, stated):
    assert is_statement(query) is stated
