"""What goes into compression and what comes out: frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from tamis.types import Lines, Span

Level = Literal["strip", "truncate", "extract"]
Order = Literal["rank", "document", "lost_in_the_middle"]
Form = Literal["text", "markdown", "json", "xml"]
UnitKind = Literal["sentence", "list_item", "table_row", "code", "heading", "frontmatter"]

LEVELS: tuple[Level, ...] = ("strip", "truncate", "extract")
ORDERS: tuple[Order, ...] = ("rank", "document", "lost_in_the_middle")
FORMS: tuple[Form, ...] = ("text", "markdown", "json", "xml")


@dataclass(frozen=True, slots=True)
class CompressItem:
    """A piece of text to compress and where it comes from.

    ``start`` and ``line`` place the text in its document: the offset of its first character and the number of its
    first line. ``content_hash`` is the hex SHA-256 of the document's bytes, or of the UTF-8 of ``text`` when that
    is all there is. ``similarity`` is the cosine of the text and the query where it is known; those of items given
    together are of one model.
    """

    text: str
    path: str | None = None
    title: str = ""
    id: str | None = None
    heading_path: tuple[str, ...] = ()
    start: int = 0
    line: int = 1
    content_hash: str = ""
    is_code: bool = False
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class Unit:
    """A part that was kept: ``text == document[span.start:span.end]``, always.

    ``source`` is the index of its item in what was given. ``score`` is the relevance it was chosen by, ``None`` where
    nothing was chosen by relevance.
    """

    text: str
    kind: UnitKind
    source: int
    path: str | None
    span: Span
    lines: Lines
    heading_path: tuple[str, ...]
    content_hash: str
    score: float | None = None


@dataclass(frozen=True, slots=True)
class SourceText:
    """What is kept of one item, without header: ``source`` is its index, ``whole`` tells if nothing was left out."""

    source: int
    text: str
    whole: bool


@dataclass(frozen=True, slots=True)
class Compressed:
    """The text that fits the budget, the units it is made of in their order in it, and what it cost.

    ``texts`` has the same text by item, in the same order.

    ``tokens_before`` counts the items' texts, ``tokens_after`` the final ``text`` with its headers and marks, both by
    ``tokenizer``; ``ratio`` is after / before. ``truncated`` lists the items of which a part was left out,
    ``dropped`` those of which nothing was kept.
    """

    text: str
    units: tuple[Unit, ...]
    texts: tuple[SourceText, ...]
    tokens_before: int
    tokens_after: int
    ratio: float
    tokenizer: str
    level: Level
    order: Order
    form: Form
    truncated: tuple[int, ...] = ()
    dropped: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()
