"""Documents for the tests of the lexical index."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.lexical import BM25, FIELD_WEIGHTS, TantivyIndex
from tamis.types import LexicalDocument, Stamp

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tamis.types import Kind

FIRST = Stamp("corpus", 1)


def document(
    key: int,
    body: str = "",
    *,
    file_id: int | None = None,
    title: str = "",
    heading: str = "",
    path: str = "",
    kind: Kind = "text",
) -> LexicalDocument:
    """A document, with a file of its own unless it is told one."""
    return LexicalDocument(key, key if file_id is None else file_id, title, heading, path, body, kind)


def fill(index: TantivyIndex, bodies: Iterable[str]) -> TantivyIndex:
    """Put documents with these bodies into the index, numbered from 1."""
    index.apply(FIRST, [document(key, body) for key, body in enumerate(bodies, 1)], [])
    return index


def found(index: TantivyIndex, query: str, limit: int = 10, file_ids: list[int] | None = None) -> list[int]:
    """Ids in the order of the ranking with the default weights."""
    hits = index.search(query, limit, weights=FIELD_WEIGHTS, bm25=BM25, file_ids=file_ids)
    return [hit.id for hit in hits]
