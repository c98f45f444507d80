"""Queries for the engine, and exact rankings from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.lexical.schema import FILE, ID, values
from tamis.types import Scored

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import tantivy

    from tamis.lexical.reading import Reading
    from tamis.lexical.terms import Clause

# Beyond the limit, so that ties at the cut can be told from the start.
_SLACK = 8
_DEEPER = 8
# The engine walks a set of terms through its whole dictionary; a few are faster one by one.
_FEW_FILES = 64
# A filter that lets little of so many hits through is given to the engine instead.
_MAX_SIFTED = 8192


def union(schema: tantivy.Schema, clauses: Iterable[Clause]) -> tantivy.Query:
    """The sum of the clauses' BM25 scores, each times its weight. Flat, which lets the engine skip hopeless documents."""
    from tantivy import Occur, Query

    return Query.boolean_query(
        [
            (Occur.Should, Query.boost_query(Query.term_query(schema, field, token, "freq"), weight))
            for _, field, token, weight in clauses
        ]
    )


def within(schema: tantivy.Schema, field: str, values: Sequence[int], query: tantivy.Query) -> tantivy.Query:
    """``query`` with its scores, on documents that have one of ``values`` in ``field``."""
    from tantivy import Occur, Query

    if len(values) <= _FEW_FILES or field == ID:
        terms = [(Occur.Should, Query.term_query(schema, field, value)) for value in values]
        allowed = Query.boolean_query(terms)
    else:
        allowed = Query.term_set_query(schema, field, values)
    return Query.boolean_query([(Occur.Must, Query.const_score_query(allowed, 0.0)), (Occur.Must, query)])


def best(
    reading: Reading, query: tantivy.Query, limit: int, file_ids: Sequence[int] | None = None
) -> list[Scored]:
    """The best ``limit`` chunks, score descending, ids ascending among equals, of these files only."""
    sifted = None
    if file_ids is not None:
        if len(file_ids) <= _FEW_FILES:
            query = within(reading.schema, FILE, file_ids, query)
        else:
            sifted = frozenset(file_ids)
    depth = limit + _SLACK
    while True:
        if sifted is not None and depth > _MAX_SIFTED:
            query, sifted, depth = within(reading.schema, FILE, sorted(sifted), query), None, limit + _SLACK
        found, last = _found(reading.searcher, query, depth, sifted)
        if last is None or (len(found) > limit and found[limit - 1].score > last):
            return found[:limit]
        depth *= _DEEPER


def _found(
    searcher: tantivy.Searcher, query: tantivy.Query, depth: int, sifted: frozenset[int] | None
) -> tuple[list[Scored], float | None]:
    """The best ``depth`` hits in order, sifted, and the score that all others are at or below; ``None``: no others."""
    hits = searcher.search(query, min(depth, searcher.num_docs + 1), count=False).hits
    addresses = [address for _, address in hits]
    ids = values(searcher, ID, addresses)
    scored = list(map(Scored, ids, (score for score, _ in hits)))
    if sifted is not None:
        files = values(searcher, FILE, addresses)
        scored = [item for item, file in zip(scored, files, strict=True) if file in sifted]
    scored.sort(key=lambda item: (-item.score, item.id))
    return scored, hits[-1][0] if len(hits) == depth else None
