"""Walks folders and reads files.

``walk`` finds the files, ``read`` makes a document of one, ``read_text`` of a text at hand; ``resolve`` checks a path that
somebody named, ``compile_glob`` is the glob language of every path filter.
"""

from __future__ import annotations

from tamis.readers.globs import compile_glob
from tamis.readers.opening import MAX_BYTES
from tamis.readers.reading import read, read_text
from tamis.readers.roots import is_within, resolve
from tamis.readers.walking import Walk, walk

__all__ = ["MAX_BYTES", "Walk", "compile_glob", "is_within", "read", "read_text", "resolve", "walk"]
