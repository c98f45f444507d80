"""``corpus_get``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from tamis.errors import CorpusError, InputError, NotDocumentError
from tamis.mcp_server.arguments import CorpusName, Filled, Paged, given
from tamis.mcp_server.schemas import BOOLEAN, INTEGER, LINES, STRING, record
from tamis.mcp_server.tool import Answer, Tool
from tamis.types import Lines

if TYPE_CHECKING:
    from tamis.library import Library
    from tamis.mcp_server.fence import Fence
    from tamis.mcp_server.tool import Call
    from tamis.types import Passage

CHANGED = "the file on disk has changed or gone since this was indexed"


class Arguments(Paged, kw_only=True):
    target: Annotated[
        Filled,
        Meta(
            description="The id of a hit, a document's path, or the end of a path that only one document has."
        ),
    ]
    corpus: (
        Annotated[CorpusName, Meta(description="Its corpus; not needed with an id, or when only one has it.")]
        | UnsetType
    ) = UNSET
    lines: (
        Annotated[
            list[Annotated[int, Meta(ge=1)]],
            Meta(
                min_length=2, max_length=2, description="First and last line of the document, counted from 1."
            ),
        ]
        | UnsetType
    ) = UNSET


def run(call: Call, arguments: Arguments) -> Answer:
    passage = _found(call.library, arguments.target, given(arguments.corpus), _lines(given(arguments.lines)))
    return Answer(passage, _text, warnings=(CHANGED,) if passage.stale else ())


def _found(library: Library, target: str, corpus: str | None, lines: Lines | None) -> Passage:
    """The passage; of a target without a corpus where there are several, the one passage that any of them has.

    Raises:
        NotDocumentError: None has it.
        InputError: Several have one, of different documents.
    """
    names = library.names()
    prefix, _, number = target.partition(":")
    if corpus is not None or len(names) < 2 or (number.isdecimal() and prefix in names):
        return library.get(target, corpus=corpus, lines=lines)
    found: list[Passage] = []
    for name in names:
        try:
            found.append(library.get(target, corpus=name, lines=lines))
        except (NotDocumentError, CorpusError):
            continue  # another may have it
    if not found:
        raise NotDocumentError(f"no corpus has a document {target!r}", hint=f"looked in: {', '.join(names)}")
    if len({passage.path for passage in found}) > 1:
        having = ", ".join(passage.corpus for passage in found)
        raise InputError(f"several corpora have {target!r}", hint=f"say which with corpus: {having}")
    return found[0]


def _lines(asked: list[int] | None) -> Lines | None:
    if asked is None:
        return None
    if asked[0] > asked[1]:
        raise InputError("lines: the first comes after the last", hint="lines are [first, last]")
    return Lines(*asked)


def _text(result: dict[str, Any], fence: Fence) -> str:
    first, last = result["lines"]
    place = f"{result['path']}:{first}-{last}"
    return f"{fence.notice}\n\n{fence.around(chr(10).join((place, result['text'])))}"


TOOL = Tool(
    name="corpus_get",
    title="Read a document or passage",
    description=(
        "Read the indexed text of a hit, a document or some of its lines. Use it after corpus_search when a preview is not "
        "enough. Returns the text with its path, lines and title; a long one comes in parts. Next: cite it as path:lines."
    ),
    arguments=Arguments,
    result=record(
        "corpus", "path", "title", "text", "lines", "char_start", "char_end", "content_hash",
        corpus=STRING, path=STRING, title=STRING, text=STRING, lines=LINES, char_start=INTEGER, char_end=INTEGER,
        content_hash=STRING, chunk_index=INTEGER, stale=BOOLEAN,
    ),
    run=run,
)  # fmt: skip
