"""Fixtures of the reader tests."""

from __future__ import annotations

import codecs
import contextlib
from encodings.aliases import aliases

import pytest

from tamis.readers.decoding import decode


@pytest.fixture
def late_imports() -> None:
    """Every codec, and what guesses at encodings."""
    for name in set(aliases.values()):
        with contextlib.suppress(LookupError):
            codecs.lookup(name)
    decode("Größe und Übermaß: façade, naïveté.\n".encode("latin-1"))
