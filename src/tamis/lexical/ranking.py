"""Queries for the engine, and exact rankings from it."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any, TypeAlias

from tamis.lexical.schema import FILE, ID, values
from tamis.types import Scored

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import tantivy

    from tamis.lexical.reading import Reading
    from tamis.lexical.terms import Clause

_Hit: TypeAlias = "tuple[Any, tantivy.DocAddress]"

# How much more than the limit is fetched, so that ties at the cut can be told: so many or this share of the limit, as there are
# the more equals the further down; how many times the limit where a filter takes some away; and how many times as much
# when that was not enough.
_MARGIN = 16
_SHARE = 0.5
_START = 2
_DEEPER = 4
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


def among(schema: tantivy.Schema, field: str, numbers: Sequence[int]) -> tantivy.Query:
    """Documents that have one of ``numbers`` in ``field``; adds nothing to a score."""
    from tantivy import Occur, Query

    if len(numbers) <= _FEW_FILES or field == ID:
        query = Query.boolean_query(
            [(Occur.Should, Query.term_query(schema, field, each)) for each in numbers]
        )
    else:
        query = Query.term_set_query(schema, field, numbers)
    return Query.const_score_query(query, 0.0)


def both(filtering: tantivy.Query, query: tantivy.Query) -> tantivy.Query:
    """``query`` with its scores, on documents that ``filtering`` lets through."""
    from tantivy import Occur, Query

    return Query.boolean_query([(Occur.Must, filtering), (Occur.Must, query)])


def best(
    reading: Reading, query: tantivy.Query, limit: int, file_ids: Sequence[int] | None = None
) -> list[Scored]:
    """The best ``limit`` chunks, score descending, ids ascending among equals, of these files only."""
    searcher = reading.searcher
    if file_ids is not None and len(file_ids) <= _FEW_FILES:
        query, file_ids = both(among(reading.schema, FILE, file_ids), query), None
    sifted = None if file_ids is None else frozenset(file_ids)
    everything = searcher.num_docs + 1
    depth = _with_margin(limit) if sifted is None else _START * limit
    while True:
        if sifted is not None and depth > _MAX_SIFTED:
            query = both(among(reading.schema, FILE, sorted(sifted)), query)
            sifted, depth = None, _with_margin(limit)
        hits = searcher.search(query, min(depth, everything), count=False).hits
        kept = hits if sifted is None else _sifted(searcher, hits, sifted)
        # What was not fetched scores at most as much as the last hit; equals of the last of the best must all be there.
        if len(hits) < min(depth, everything) or (len(kept) >= limit and kept[limit - 1][0] > hits[-1][0]):
            return _ordered(searcher, kept, limit)
        depth *= _DEEPER


def _with_margin(limit: int) -> int:
    return limit + max(_MARGIN, round(_SHARE * limit))


def _sifted(searcher: tantivy.Searcher, hits: list[_Hit], files: frozenset[int]) -> list[_Hit]:
    own = values(searcher, FILE, [address for _, address in hits])
    return [hit for hit, file in zip(hits, own, strict=True) if file in files]


def _ordered(searcher: tantivy.Searcher, hits: list[_Hit], limit: int) -> list[Scored]:
    if len(hits) > limit:
        hits = hits[: bisect_right(hits, -hits[limit - 1][0], lo=limit, key=lambda hit: -hit[0])]
    ids = values(searcher, ID, [address for _, address in hits])
    ranked = sorted((-hit[0], key) for hit, key in zip(hits, ids, strict=True))
    return [Scored(key, -negative) for negative, key in ranked[:limit]]
