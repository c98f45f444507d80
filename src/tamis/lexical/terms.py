"""What a query asks for: its tokens, and how much each weighs in which field."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from tamis.lexical.analysis import analysed, normalised
from tamis.lexical.defaults import PLAIN_SHARE, WHOLE_SHARE
from tamis.lexical.languages import spoken
from tamis.lexical.stopwords import query_stopwords

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.lexical.words import Forms
    from tamis.types import FieldWeights

# A pasted page has some hundred different words; more would cost time, about .3 ms each over 100,000 chunks.
MAX_TOKENS = 200


class Clause(NamedTuple):
    """A token looked for in a field of the index. ``share`` is the field of the document that it speaks for."""

    share: str
    field: str
    token: str
    weight: float


class Terms(NamedTuple):
    """A query's tokens, each with how often it stands there; see ``words.Forms``."""

    stems: Counter[str]
    plain: Counter[str]
    wholes: Counter[str]

    def clauses(self, weights: FieldWeights) -> list[Clause]:
        """Every token in every field that has a weight."""
        labels = self.stems + self.wholes
        return [
            Clause(share, field, token, weight * count)
            for share, field, tokens, weight in (
                ("title", "title", labels, weights.title),
                ("heading", "heading", labels, weights.heading),
                ("path", "path", labels, weights.path),
                ("body", "body", self.stems, weights.body),
                ("body", "surface", self.plain, weights.body * PLAIN_SHARE),
                ("body", "surface", self.wholes, weights.body * WHOLE_SHARE),
            )
            if weight > 0
            for token, count in tokens.items()
        ]


def terms(query: str, languages: Sequence[str]) -> Terms:
    """Analyse a query for an index of documents in ``languages``, the commonest first.

    Function words are left out unless there is nothing else. A word is looked for under its stem in each language.
    """
    text = normalised(query)
    found = list(zip(*(analysed(text, language) for language in languages), strict=True))
    stopwords = query_stopwords(spoken((readings[0][0].lower() for readings in found), languages))
    kept = [readings for readings in found if not _is_function_word(readings[0][1], stopwords)] or found
    stems: Counter[str] = Counter()
    plain: Counter[str] = Counter()
    wholes: Counter[str] = Counter()
    for (_, usual), *others in kept:
        stems.update(usual.stems)
        stems.update({token for _, other in others for token in other.stems} - set(usual.stems))
        plain.update(usual.plain)
        wholes.update(usual.wholes)
    return Terms(_bounded(stems), _bounded(plain), _bounded(wholes))


def _is_function_word(each: Forms, stopwords: frozenset[str]) -> bool:
    return not each.wholes and stopwords.issuperset(each.plain)


def _bounded(tokens: Counter[str]) -> Counter[str]:
    return tokens if len(tokens) <= MAX_TOKENS else Counter(dict(islice(tokens.items(), MAX_TOKENS)))
