"""What the index holds of a document, field by field."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tamis.lexical.analysis import chunked, normalised
from tamis.lexical.definitions import defined_names
from tamis.lexical.languages import detected
from tamis.lexical.lexicon import Lexicon

if TYPE_CHECKING:
    from tamis.types import LexicalDocument


class Fields(NamedTuple):
    """Tokens, each with a space before it. ``body`` has stems, ``surface`` the body's words as they are written."""

    title: str
    heading: str
    path: str
    body: str
    surface: str


class Analyser:
    """Analyses documents, each in its language. For one thread; remembers words, so not to be kept for long.

    Args:
        language: That of documents whose own cannot be told.
    """

    def __init__(self, language: str) -> None:
        self._language = language
        self._lexicons: dict[str, Lexicon] = {}

    def fields(self, document: LexicalDocument) -> tuple[Fields, str]:
        """The document's tokens and its language."""
        chunks = chunked(normalised(document.body))
        language = detected(chunks, self._language)
        lexicon = self._lexicons.get(language)
        if lexicon is None:
            lexicon = self._lexicons[language] = Lexicon(language)
        heading = document.heading
        if document.kind != "code":
            heading = f"{heading} {defined_names(document.body)}"
        title, heading, path = map(lexicon.label, (document.title, heading, document.path))
        return Fields(title, heading, path, *lexicon.body(chunks)), language
