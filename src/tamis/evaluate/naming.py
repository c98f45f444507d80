"""What files and headings may be called."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from tamis.evaluate.quoting import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

_BETWEEN_WORDS: Final = re.compile(r"[\s-]+")


@lru_cache(maxsize=1024)
def names_of(path: str) -> frozenset[str]:
    """All that a file may be called, as ``plain_name`` spells it: its path, whole or from any folder on, and its name without
    the ending (a test collection's ids become file names)."""
    slashed = path.replace("\\", "/")
    parts = slashed.split("/")
    tails = {"/".join(parts[start:]) for start in range(len(parts))}
    return frozenset({slashed, *tails, PurePosixPath(slashed).stem} - {""})


def plain_name(name: str) -> str:
    """A target's name of a file in one spelling, without ``.`` and ``..``; those at its beginning lead to where nobody knows."""
    parts = posixpath.normpath(name.replace("\\", "/")).split("/")
    while parts and parts[0] in (".", ".."):
        del parts[0]
    return "/".join(parts)


def headed_names(name: str) -> Iterator[tuple[str, str]]:
    """What a target's name may mean as a file and a heading in it: either may have a ``#`` of its own."""
    for mark in re.finditer("#", name):
        if file := plain_name(name[: mark.start()]):
            yield file, name[mark.end() :]


def is_heading(name: str, heading: str) -> bool:
    """Whether a name is a heading, as it is spelled, without case and runs of white space."""
    return plain(name) == plain(heading)


def is_anchor(name: str, heading: str) -> bool:
    """Whether a name is a heading's anchor, as in a link to it on GitHub: ``how-to-rotate`` is that of "How to rotate?".

    Anchors leave out what is no word. So "C++" is no anchor, of which "C" has the same.
    """
    return (
        name == name.lower()
        and all(map(_kept, name))
        and any(map(str.isalnum, name))
        and _anchor(heading) == _anchor(name)
    )


def _anchor(heading: str) -> str:
    kept = "".join(each for each in heading.lower() if _kept(each) or each.isspace())
    return _BETWEEN_WORDS.sub("-", kept).strip("-")


def _kept(character: str) -> bool:
    # Many scripts write vowels and tones as marks, which Python's \w leaves out.
    return character in "_-" or unicodedata.category(character)[0] in "LMN"
