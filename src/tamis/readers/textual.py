"""Reading of formats whose files are their own text."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from tamis.readers.decoding import decode
from tamis.readers.machine_made import is_machine_made
from tamis.types import Document

if TYPE_CHECKING:
    from collections.abc import Callable

    from tamis.types import FileStat, Kind, Source


class TextualReader:
    """A ``tamis.ports.Reader`` that decodes, and no more.

    Args:
        kind: What its documents are.
        suffixes: As in ``tamis.ports.Reader``.
        names: As in ``tamis.ports.Reader``.
        language: The programming language of a text, from its path and itself.
    """

    def __init__(
        self,
        kind: Kind,
        suffixes: frozenset[str],
        names: frozenset[str] = frozenset(),
        language: Callable[[str, str], str | None] | None = None,
    ) -> None:
        self.suffixes = suffixes
        self.names = names
        self._kind: Kind = kind
        self._language = language

    def read(self, source: Source, data: bytes) -> Document:
        """Decode ``data``.

        Raises:
            UndecodableError: It is no text; the message says why.
        """
        text, encoding = decode(data)
        return self._document(source.path, text, data, encoding, source.stat)

    def wrap(self, path: str, text: str) -> Document:
        """The document of a text that never was a file."""
        return self._document(path, text, text.encode(), "utf-8", None)

    def _document(self, path: str, text: str, data: bytes, encoding: str, stat: FileStat | None) -> Document:
        return Document(
            path=path,
            text=text,
            kind=self._kind,
            content_hash=hashlib.sha256(data).hexdigest(),
            encoding=encoding,
            language=self._language(path, text) if self._language else None,
            machine_made=is_machine_made(path, text),
            stat=stat,
        )
