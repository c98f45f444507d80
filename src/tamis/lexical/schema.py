"""The fields of the index, and the marker that says what it reflects."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple, cast

from tamis.lexical.stemming import version
from tamis.types import Stamp

if TYPE_CHECKING:
    from collections.abc import Mapping

    import tantivy

    from tamis.lexical.fields import Fields

# Moves with every change of the fields or of the analysis: an index of another format is built anew.
FORMAT = 1
TEXT_FIELDS = ("title", "heading", "path", "body", "surface")
ID = "id"
FILE = "file"
MARKER = f"marker{FORMAT}"
_STAMP = "stamp"


class Marker(NamedTuple):
    """The one document of the index that is no chunk; it has no text, so that no query finds it.

    ``languages``: how many documents were added in each.
    """

    stamp: Stamp
    languages: Mapping[str, int]


def make() -> tantivy.Schema:
    """The schema. Each text field has its number of tokens beside it, which scoring with another k1 or b needs."""
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field(ID, indexed=True, fast=True)
    builder.add_unsigned_field(FILE, indexed=True, fast=True)
    for field in TEXT_FIELDS:
        builder.add_text_field(field, tokenizer_name="whitespace", index_option="freq")
        builder.add_unsigned_field(length_of(field), fast=True)
    builder.add_unsigned_field(MARKER, indexed=True)
    builder.add_bytes_field(_STAMP, stored=True)
    return builder.build()


def length_of(field: str) -> str:
    """Name of the field that counts the tokens of ``field``."""
    return f"{field}_length"


def values(searcher: tantivy.Searcher, field: str, addresses: list[tantivy.DocAddress]) -> list[int]:
    """What documents have in a field of whole numbers, in order; all of them must have something."""
    return cast("list[int]", searcher.fast_field_values(field, addresses))


def chunk(key: int, file_id: int, fields: Fields) -> tantivy.Document:
    """A chunk as the engine takes it."""
    import tantivy

    document = tantivy.Document()
    document.add_unsigned(ID, key)
    document.add_unsigned(FILE, file_id)
    for field, text in zip(TEXT_FIELDS, fields, strict=True):
        if text:
            document.add_text(field, text)
            document.add_unsigned(length_of(field), text.count(" "))
    return document


def marker(content: Marker, language: str) -> tantivy.Document:
    """The marker as the engine takes it."""
    import tantivy

    document = tantivy.Document()
    document.add_unsigned(MARKER, 1)
    stamp, languages = content
    value = {
        "corpus_id": stamp.corpus_id,
        "generation": stamp.generation,
        "languages": dict(languages),
        "analysis": _analysis(language),
    }
    document.add_bytes(_STAMP, json.dumps(value).encode())
    return document


def parsed(document: tantivy.Document, language: str) -> Marker | None:
    """What a marker says; ``None`` if the index was made by another analysis.

    Raises:
        ValueError, KeyError, TypeError, IndexError: It is no marker.
    """
    value = json.loads(document[_STAMP][0])
    if value["analysis"] != _analysis(language):
        return None
    return Marker(Stamp(value["corpus_id"], value["generation"]), value["languages"])


def _analysis(language: str) -> str:
    return f"{language} {version()}"
