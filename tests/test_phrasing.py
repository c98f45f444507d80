import pytest

from tamis.phrasing import is_statement


@pytest.mark.parametrize(
    ("query", "stated"),
    [
        ("Rotating signing keys every ninety days reduces the risk of forged tokens.", True),
        ("Does rotating signing keys every ninety days reduce the risk of forged tokens", False),
        ("Rotating signing keys every ninety days reduces the risk of forged tokens?", False),
        ("signing key rotation", False),
        ("Would rotating signing keys every ninety days reduce the risk of forged tokens", False),
        ("Isn't the risk of forged tokens lower when signing keys rotate every ninety days", False),
        ("Can’t forged tokens be told from signed ones without rotating any keys", False),
        ("In which file are the dates of every rotated signing key written down", False),
        ("kubernetes ingress nginx timeout 504 gateway upstream", False),
    ],
)
def test_a_statement_is_told_from_a_question_and_from_keywords(query, stated):
    assert is_statement(query) is stated
