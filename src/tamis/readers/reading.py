"""From a file that a walk found, or from a text at hand, to a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.errors import InputError, SourceError, UnreadableError
from tamis.readers.binary import refuse_binary
from tamis.readers.code import CODE
from tamis.readers.opening import MAX_BYTES, read_bytes
from tamis.readers.registry import reader_for
from tamis.readers.roots import is_utf8
from tamis.readers.text import TEXT
from tamis.readers.textual import TextualReader
from tamis.types import Source

if TYPE_CHECKING:
    from tamis.types import Document


def read(source: Source, *, max_bytes: int = MAX_BYTES) -> Document:
    """Read and decode a file.

    ``document.stat`` is the file's at the moment it was read, which ``source.stat`` may precede.

    Raises:
        BinaryError: No reader claims the file's name and it is not text: to be skipped and counted.
        UndecodableError: It should be text by its name, and no encoding makes text of it.
        UnreadableError: The reader, or a library that it leans on, broke on it.
        SourceError: It cannot be read; see ``tamis.readers.opening.read_bytes``.
    """
    reader = reader_for(source.path)
    data, stat = read_bytes(source.path, max_bytes=max_bytes, refuse=None if reader else refuse_binary)
    if reader is None:
        reader = CODE if data.startswith(b"#!") else TEXT
    try:
        return reader.read(Source(source.path, stat), data)
    except SourceError:
        raise
    except Exception as error:  # whatever a detector or a parser does on one file, the other files are read
        raise UnreadableError(
            f"{source.path}: its reader broke: {type(error).__name__}: {error}",
            hint="report the file's kind; the other files are indexed",
        ) from error


def read_text(path: str, text: str) -> Document:
    """The document that ``text`` would be if it stood in a file at ``path``.

    Raises:
        InputError: It holds NUL characters or lone surrogates, which cannot be stored.
    """
    if "\0" in text or not is_utf8(text):
        raise InputError(
            f"the text for {path} holds characters that cannot be stored",
            hint="take out NULs and lone surrogates",
        )
    reader = reader_for(path)
    if not isinstance(reader, TextualReader):
        reader = CODE if text.startswith("#!") else TEXT
    return reader.wrap(path, text.removeprefix("\ufeff"))
