"""What kind of part answers what kind of question: plain words are answered in plain words, "how many" by a number."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tamis.compress.units import Candidate

# Code matches a question by names that it is full of, and seldom answers one that names nothing of it.
CODE = 0.4
# A part with a number, a date or a word for one answers a question for one more often than others do.
QUANTITY = 1.25

_CODE_QUERY = re.compile(r"\w_\w|[a-z][A-Z]|\w\(|\w\.\w+\(|::|->|=>|--\w|`|[{};=]")
_QUANTITY_QUERY = re.compile(
    r"\b(?:how (?:many|much|long|often|old|far|fast|large|big|high|tall|deep|soon|late|early)|when"
    r"|(?:what|which) (?:year|date|day|month|time|number|percentage|age|size|amount))\b",
    re.IGNORECASE,
)
_QUANTITY = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|seventy"
    r"|eighty|ninety|hundreds?|thousands?|millions?|billions?|dozens?|half|once|twice|never|always|hourly|daily|weekly"
    r"|monthly|yearly|annually|yesterday|today|tomorrow|january|february|march|april|june|july|august|september|october"
    r"|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:last|next) (?:week|month|year|summer|winter))\b",
    re.IGNORECASE,
)


class Fitness:
    """How well a candidate's kind fits a question, as a factor of its relevance."""

    def __init__(self, query: str) -> None:
        self._code = 1.0 if _CODE_QUERY.search(query) else CODE
        asked = _QUANTITY_QUERY.search(query) if query.endswith(("?", "？")) else _QUANTITY_QUERY.match(query)
        self._quantity = QUANTITY if asked else 1.0

    def of(self, candidate: Candidate) -> float:
        factor = self._code if candidate.kind == "code" else 1.0
        return (
            factor * self._quantity if self._quantity != 1.0 and _QUANTITY.search(candidate.text) else factor
        )
