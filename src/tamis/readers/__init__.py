"""Walks folders and reads files.

``walk`` finds the files, ``read`` makes a document of one, ``read_text`` of a text at hand; ``resolve`` checks a path that
somebody named, ``require_any`` several, ``check_globs`` their filters; ``compile_glob`` is the glob language of every path
filter.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tamis.readers.globs import compile_glob
    from tamis.readers.named import check_globs, require_any
    from tamis.readers.opening import MAX_BYTES
    from tamis.readers.reading import read, read_text
    from tamis.readers.roots import is_within, resolve
    from tamis.readers.walking import Walk, walk

__all__ = [
    "MAX_BYTES",
    "Walk",
    "check_globs",
    "compile_glob",
    "is_within",
    "read",
    "read_text",
    "require_any",
    "resolve",
    "walk",
]

_HOMES = {
    "MAX_BYTES": "opening",
    "Walk": "walking",
    "check_globs": "named",
    "compile_glob": "globs",
    "is_within": "roots",
    "read": "reading",
    "read_text": "reading",
    "require_any": "named",
    "resolve": "roots",
    "walk": "walking",
}


def __getattr__(name: str) -> Any:
    """Bring a name in when it is first used: a search needs the globs, not what reads files."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
