"""A second ``LexicalIndex``: BM25 as its formula says, over all documents, in memory."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from tamis.lexical.fields import Analyser
from tamis.lexical.schema import TEXT_FIELDS
from tamis.lexical.terms import terms
from tamis.types import Scored

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tamis.types import Bm25, FieldWeights, LexicalDocument, Stamp


def rounded(length: int) -> int:
    """A field's length as tantivy keeps it: what is over 24 with four significant bits."""
    over = length - 24
    if over < 16:
        return length
    shift = over.bit_length() - 4
    return 24 + (over >> shift << shift)


class ExhaustiveIndex:
    """Counts as tantivy does: the marker is a document more, without text. Removed documents leave no trace."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self._stamp: Stamp | None = None
        self._held: dict[int, tuple[int, dict[str, Counter[str]]]] = {}
        self._containing: dict[str, Counter[str]] = {}
        self._lengths: dict[str, int] = {}

    def stamp(self) -> Stamp | None:
        return self._stamp

    def apply(self, stamp: Stamp, add: Iterable[LexicalDocument], remove: Iterable[int]) -> None:
        for key in remove:
            self._held.pop(key, None)
        analyser = Analyser("english")
        for document in add:
            fields, _ = analyser.fields(document)
            tokens = {name: Counter(text.split()) for name, text in zip(TEXT_FIELDS, fields, strict=True)}
            self._held[document.id] = document.file_id, tokens
        self._stamp = stamp
        held = [tokens for _, tokens in self._held.values()]
        for field in TEXT_FIELDS:
            self._containing[field] = Counter(token for tokens in held for token in tokens[field])
            self._lengths[field] = sum(tokens[field].total() for tokens in held)

    def search(
        self,
        query: str,
        limit: int,
        *,
        weights: FieldWeights,
        bm25: Bm25,
        file_ids: Sequence[int] | None = None,
    ) -> list[Scored]:
        ids = [key for key, (file, _) in self._held.items() if file_ids is None or file in file_ids]
        shares = self.explain(query, ids, weights=weights, bm25=bm25)
        scored = [Scored(key, sum(share.values())) for key, share in zip(ids, shares, strict=True) if share]
        return sorted(scored, key=lambda item: (-item.score, item.id))[:limit]

    def explain(
        self, query: str, ids: Sequence[int], *, weights: FieldWeights, bm25: Bm25
    ) -> list[dict[str, float]]:
        clauses = terms(query, ["english"]).clauses(weights)
        found: list[dict[str, float]] = []
        for key in ids:
            shares: dict[str, float] = {}
            for share, field, token, weight in clauses:
                score = self._score(key, field, token, bm25)
                if score:
                    shares[share] = shares.get(share, 0.0) + weight * score
            found.append(shares)
        return found

    def _score(self, key: int, field: str, token: str, bm25: Bm25) -> float:
        frequency = self._held[key][1][field][token]
        if not frequency:
            return 0.0
        count = len(self._held) + 1
        containing = self._containing[field][token]
        idf = math.log(1 + (count - containing + 0.5) / (containing + 0.5))
        relative = rounded(self._held[key][1][field].total()) * count / self._lengths[field]
        norm = bm25.k1 * (1 - bm25.b + bm25.b * relative)
        return idf * (bm25.k1 + 1) * frequency / (frequency + norm)
