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
_ASKING = "who|whom|whose|what|which|when|where|why|how"
_VERBS = "is|are|am|was|were|do|does|did|can|could|may|might|must|shall|should|will|would|has|have|had"
_QUESTION = re.compile(
    rf"\W*(?:(?:(?:about|at|by|for|from|in|of|on|since|through|to|under|until|with)\s+)?(?:{_ASKING})\b"
    rf"|(?:{_VERBS})(?:n['’]?t)?\b|(?:ca|wo|sha)n['’]?t\b)|.*[?？؟]\s*$",
    re.IGNORECASE | re.DOTALL,
)


def is_statement(query: str) -> bool:
    """Whether a query states something, which a passage as a whole bears out, rather than asks or names something.

    Told for English; in another language all that is long enough and has no question mark states something.
    """
    if _QUESTION.match(query):
        return False
    words = set(_WORD.findall(query.casefold()))
    content = words - FUNCTION_WORDS
    # A list of names has no word that joins them.
    return len(content) >= STATEMENT_WORDS and (len(content) < len(words) or not query.isascii())
