"""Texts of any length from files and streams, in pieces."""

from __future__ import annotations

import codecs
import os
from typing import TYPE_CHECKING, BinaryIO

from tamis.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Generator

PIECE = 1 << 18
"""Bytes read at once; the first of them tell the encoding."""


def pieces(stream: BinaryIO) -> Generator[str]:
    """The decoded text of a stream, in pieces; memory does not grow with its length.

    The encoding is told by the first piece; what later does not fit it becomes U+FFFD.

    Raises:
        BinaryError: It is not text.
        UndecodableError: No encoding makes text of it.
    """
    from tamis.readers.binary import refuse_binary
    from tamis.readers.decoding import decode

    head = stream.read(PIECE)
    refuse_binary(head)
    # A piece that ends inside a character would be taken for one of another encoding: judge it by whole lines.
    whole = head if len(head) < PIECE else head[: head.rfind(b"\n") + 1] or head
    encoding = "utf-8" if whole.isascii() else decode(whole).encoding
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    data = head
    while data:
        yield decoder.decode(data)
        data = stream.read(PIECE)
    yield decoder.decode(b"", final=True)


def pieces_of(path: str) -> Generator[str]:
    """As ``pieces``, of a file; a pipe will do.

    Raises:
        SourceError: It is not there, is a folder, or cannot be read.
    """
    place = os.path.expanduser(path)
    try:
        with open(place, "rb") as file:
            yield from pieces(file)
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror}", hint="name a text file, or - for stdin") from error
