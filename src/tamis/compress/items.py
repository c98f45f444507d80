"""What callers hand in, as items: a text, memories and other mappings, hits, passages."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Real
from pathlib import PurePath
from typing import TYPE_CHECKING, TypeAlias, cast

from tamis.compress.values import CompressItem
from tamis.errors import InputError
from tamis.types import Hit, Passage, SearchResult

if TYPE_CHECKING:
    from tamis.compress.blocks import Flavour

Compressible: TypeAlias = "str | Mapping[str, object] | Hit | Passage | CompressItem"

# Keys that hold a mapping's text, in order of preference: our own, the memories' of seed 003, rerankers' and servers'.
TEXT_KEYS = ("text", "content", "snippet", "body")
# A cosine is at most so much, float16 rounding included; what is more is another kind of score.
MAX_COSINE = 1.01

_RST = frozenset({".rst", ".rest"})
_TEXT = frozenset({".txt", ".text", ".log"})
_MARKDOWN = frozenset(
    {"", ".md", ".mdx", ".markdown", ".mdown", ".qmd", ".rmd", ".html", ".htm", ".adoc", ".org"}
)


def as_items(given: Compressible | Sequence[Compressible] | SearchResult) -> tuple[CompressItem, ...]:
    """One item for each thing given, in order; for a search's result, for each of its hits.

    Raises:
        InputError: Something given is none of the kinds that compression takes, or has no text.
    """
    if isinstance(given, SearchResult):
        given = given.hits
    if isinstance(given, (str, Mapping, Hit, Passage, CompressItem)):
        return (_whole_item(given, 0),)
    if not isinstance(given, Sequence):  # pyright: ignore[reportUnnecessaryIsInstance] -- callers are not all typed
        raise InputError(
            f"cannot compress a {type(given).__name__}", hint="give a text, or a list of hits or memories"
        )
    items = tuple(_whole_item(each, index) for index, each in enumerate(given))
    # Each corpus has a model of its own, and cosines of two models do not compare.
    one = len({_corpus(each) for each in given}) <= 1
    return items if one else tuple(replace(item, similarity=None) for item in items)


def text_hash(text: str) -> str:
    """The hex SHA-256 of the text's UTF-8."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def text_key(given: Mapping[str, object]) -> str | None:
    """The key that a mapping's text is under: the first that holds more than nothing, else the first that holds a string."""
    keys = [key for key in TEXT_KEYS if isinstance(given.get(key), str)]
    return next((key for key in keys if given[key]), keys[0] if keys else None)


def flavour_of(item: CompressItem) -> Flavour:
    """How to read an item's text: by its path's ending; without a path, as Markdown."""
    if item.is_code:
        return "code"
    suffix = PurePath(item.path).suffix.lower() if item.path else ""
    if suffix in _MARKDOWN:
        return "markdown"
    if suffix in _RST:
        return "rst"
    return "text" if suffix in _TEXT else "code"


def _whole_item(given: Compressible, index: int) -> CompressItem:
    """The item, unless its text is none that tokenizers take."""
    item = _item(given, index)
    try:
        item.text.encode()
    except UnicodeEncodeError as error:
        raise InputError(
            f"item {index} has half a surrogate pair at character {error.start}",
            hint="replace it: text.encode('utf-16', 'surrogatepass').decode('utf-16', 'replace')",
        ) from error
    return item


def _item(given: Compressible, index: int) -> CompressItem:
    if isinstance(given, CompressItem):
        if given.similarity is not None and _cosine(given.similarity) is None:
            raise InputError(
                f"the similarity of item {index} is {given.similarity!r}", hint="give a cosine, from -1 to 1"
            )
        return replace(given, similarity=_cosine(given.similarity))
    if isinstance(given, str):
        return CompressItem(text=given)
    if isinstance(given, Hit):
        return CompressItem(
            text=given.text,
            path=given.path,
            title=given.title,
            id=given.id,
            heading_path=given.heading_path,
            start=given.char_start,
            line=given.lines.first,
            content_hash=given.content_hash,
            is_code=given.chunk_type == "code" and "```" not in given.text and "~~~" not in given.text,
            similarity=_similarity(given.score_breakdown),
        )
    if isinstance(given, Passage):
        return CompressItem(
            text=given.text,
            path=given.path,
            title=given.title,
            start=given.char_start,
            line=given.lines.first,
            content_hash=given.content_hash,
        )
    if isinstance(given, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] -- callers are not all typed
        return _from_mapping(given, index)
    raise InputError(
        f"item {index} is a {type(given).__name__}", hint="give texts, hits or mappings with a text"
    )


def _from_mapping(given: Mapping[str, object], index: int) -> CompressItem:
    key = text_key(given)
    if key is None:
        raise InputError(
            f"item {index} has no text", hint=f"give it a string under one of: {', '.join(TEXT_KEYS)}"
        )
    headings = given.get("heading_path")
    return CompressItem(
        text=cast("str", given[key]),
        path=_string(given, "path"),
        title=_string(given, "title") or "",
        id=_string(given, "id"),
        heading_path=_headings(headings),
        start=_whole(given, "char_start", 0),
        line=_first_line(given),
        content_hash=_string(given, "content_hash") or "",
        similarity=_similarity(given.get("score_breakdown")),
    )


def _corpus(given: Compressible) -> str | None:
    return _string(given, "corpus") if isinstance(given, Mapping) else getattr(given, "corpus", None)


def _similarity(breakdown: object) -> float | None:
    """The cosine among the parts of a hit's score."""
    return (
        _cosine(cast("Mapping[str, object]", breakdown).get("dense"))
        if isinstance(breakdown, Mapping)
        else None
    )


def _cosine(value: object) -> float | None:
    """A cosine as a float, numpy's numbers too; ``None`` for what is none."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    return float(value) if abs(cast("float", value)) <= MAX_COSINE else None


def _string(given: Mapping[str, object], key: str) -> str | None:
    value = given.get(key)
    if value is None or isinstance(value, (dict, list)):
        return None
    return str(value)


def _whole(given: Mapping[str, object], key: str, default: int) -> int:
    value = given.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else default


def _first_line(given: Mapping[str, object]) -> int:
    """The first line from ``lines``, as hits are rendered (``[first, last]`` or ``{"first": …}``)."""
    lines = given.get("lines")
    if isinstance(lines, Mapping):
        return _whole(cast("Mapping[str, object]", lines), "first", 1)
    if isinstance(lines, Sequence) and not isinstance(lines, str) and lines:
        first = cast("Sequence[object]", lines)[0]
        return first if isinstance(first, int) and first > 0 else 1
    return 1


def _headings(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,) if value else ()
    if isinstance(value, Sequence):
        return tuple(str(each) for each in cast("Sequence[object]", value))
    return ()
