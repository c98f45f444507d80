"""Corpora, documents and passages as resources.

``tamis://corpora`` lists the corpora; ``tamis://corpus/NAME`` is one's health; ``tamis://corpus/NAME/document/PATH`` and
``tamis://corpus/NAME/chunk/ID`` are text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

import mcp_types as types

from tamis.errors import InputError
from tamis.mcp_server.arguments import DEFAULT_MAX_TOKENS
from tamis.mcp_server.fence import Fence
from tamis.mcp_server.paging import divide
from tamis.mcp_server.tokens import estimate
from tamis.render import encode, payload

if TYPE_CHECKING:
    from tamis.library import Library

CORPORA = "tamis://corpora"
JSON, PLAIN = "application/json", "text/plain"
_URI = re.compile(r"tamis://corpus/(?P<name>[^/]+)(?:/(?P<kind>document|chunk)/(?P<target>.+))?\Z", re.DOTALL)
CUT = "The document is longer than one resource may be. corpus_get reads it in parts."

TEMPLATES = [
    types.ResourceTemplate(
        name="document",
        title="A document",
        uri_template="tamis://corpus/{name}/document/{+path}",
        description="A document's indexed text, by its path.",
        mime_type=PLAIN,
    ),
    types.ResourceTemplate(
        name="chunk",
        title="A passage",
        uri_template="tamis://corpus/{name}/chunk/{id}",
        description="One passage, by the number in the id of its hit (the 12 of notes:12).",
        mime_type=PLAIN,
    ),
]


def document_uri(corpus: str, path: str) -> str:
    """The resource of a document."""
    return f"tamis://corpus/{corpus}/document/{quote(path)}"


def listed(library: Library) -> list[types.Resource]:
    """The resources that have no parameters: the list of corpora, and each corpus."""
    corpora = [
        types.Resource(
            name=name,
            uri=f"tamis://corpus/{name}",
            description=f"What the corpus {name} holds and its health.",
            mime_type=JSON,
        )
        for name in library.names()
    ]
    return [
        types.Resource(name="corpora", uri=CORPORA, description="The corpora there are.", mime_type=JSON),
        *corpora,
    ]


def read(library: Library, uri: str) -> types.ReadResourceResult:
    """What stands under a URI; text of documents is fenced and bounded.

    Raises:
        InputError: No resource has this URI.
        TamisError: As ``Library.corpus`` and ``Library.get``.
    """
    if uri == CORPORA:
        return _result(uri, encode(payload(library.list())).decode(), JSON)
    match = _URI.match(uri)
    if match is None:
        raise InputError(f"no resource has the URI {uri}", hint=f"see {CORPORA} and the resource templates")
    name = unquote(match["name"])
    if match["kind"] is None:
        return _result(uri, _health(library, name), JSON)
    target = unquote(match["target"])
    if match["kind"] == "chunk":
        number = target.removeprefix(f"{name}:")
        if not number.isdecimal():
            raise InputError(f"{target!r} is no number of a passage", hint="it is the 12 of the hit notes:12")
        target = f"{name}:{number}"
    passage = library.corpus(name).get(target)
    text = _bounded(passage.text)
    fence = Fence()
    parts = [fence.notice, fence.around(text)] + ([CUT] if len(text) < len(passage.text) else [])
    return _result(uri, "\n".join(parts), PLAIN)


def _health(library: Library, name: str) -> str:
    divided = divide(payload(library.corpus(name).health()))
    report, end, _ = divided.page(0, DEFAULT_MAX_TOKENS)
    if end < len(divided.units):
        report |= {"cut": "This is not all. corpus_health brings the rest."}
    return encode(report).decode()


def _bounded(text: str) -> str:
    """As much of the text as one reply may hold, or a little less."""
    while (tokens := estimate(text)) > DEFAULT_MAX_TOKENS:
        text = text[: int(len(text) * DEFAULT_MAX_TOKENS / tokens * 0.99)]
    return text


def _result(uri: str, text: str, kind: str) -> types.ReadResourceResult:
    return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=kind, text=text)])
