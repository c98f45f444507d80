"""Source code, configuration and queries."""

from __future__ import annotations

import re

from tamis.readers.languages import BY_INTERPRETER, BY_NAME, BY_SUFFIX
from tamis.readers.suffixes import name_of, suffixes_of
from tamis.readers.textual import TextualReader

# The program behind "#!", also behind env, its options and variables; "python3.12" is python.
_INTERPRETER = re.compile(r"#!\s*(?:\S*/)?(?:env(?:\s+(?:-\S+|\w+=\S*))*\s+)?(?:\S*/)?([A-Za-z]+)")


def language_of(path: str, text: str) -> str | None:
    """The language by the file's name or, failing that, by the program that its first line asks for."""
    name = name_of(path)
    if name in BY_NAME:
        return BY_NAME[name]
    for suffix in suffixes_of(name):
        if suffix in BY_SUFFIX:
            return BY_SUFFIX[suffix]
    found = _INTERPRETER.match(text[:200])
    return BY_INTERPRETER.get(found[1]) if found else None


CODE = TextualReader("code", frozenset(BY_SUFFIX), frozenset(BY_NAME), language_of)
