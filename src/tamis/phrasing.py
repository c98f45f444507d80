"""How a query is put: it asks something, states something, or names what it is about."""

from __future__ import annotations

import re

# They say how a sentence is put, not what it is about.
_FUNCTION_WORDS = (
    "a about above after again all also am an and any are as at be because been before being below "
    "between both but by can could did do does doing down during each few for from further had has have "
    "having he her here hers him his how i if in into is it its itself just let me more most my no nor "
    "not now of off on once one only or other our out over own please same she should so some such than "
    "that the their them then there these they this those through to too under until up us very was we "
    "were what when where which while who whom whose why will with would you your yours many much often s "
    "t d ll m o re ve"
)
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
# A text of so many other words that asks nothing states something.
STATEMENT_WORDS = 6

_WORD = re.compile(r"\w+")
_QUESTION = re.compile(
    r"\W*(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|can|could|may|should|will|has|have"
    r")\b|.*[?？؟]\s*$",
    re.IGNORECASE | re.DOTALL,
)


def is_statement(query: str) -> bool:
    """Whether a query states something, which a passage as a whole bears out, rather than asks or names something."""
    if _QUESTION.match(query):
        return False
    return (
        len({word for word in _WORD.findall(query.casefold()) if word not in FUNCTION_WORDS})
        >= STATEMENT_WORDS
    )
