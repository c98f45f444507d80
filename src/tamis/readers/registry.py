"""Which reader takes which file. A new format is one more file beside these, and one more line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.readers.code import CODE
from tamis.readers.markdown import MARKDOWN
from tamis.readers.rst import RST
from tamis.readers.suffixes import name_of, suffixes_of
from tamis.readers.text import TEXT

if TYPE_CHECKING:
    from tamis.ports import Reader

READERS: tuple[Reader, ...] = (
    MARKDOWN,
    RST,
    TEXT,
    CODE,
)

_BY_SUFFIX = {suffix: reader for reader in READERS for suffix in reader.suffixes}
_BY_NAME = {name: reader for reader in READERS for name in reader.names}


def reader_for(path: str) -> Reader | None:
    """The reader that a file's name asks for; ``None`` when the name says nothing."""
    name = name_of(path)
    if name in _BY_NAME:
        return _BY_NAME[name]
    return next((_BY_SUFFIX[suffix] for suffix in suffixes_of(name) if suffix in _BY_SUFFIX), None)
