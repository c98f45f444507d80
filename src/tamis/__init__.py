"""tamis: index, search, rerank and compress your own documents, on one machine.

::

    import tamis

    library = tamis.open()
    notes = library.index("notes", ["~/notes"])
    for hit in notes.search("how do we rotate keys?", top_k=5):
        print(hit.path, hit.lines, hit.text)
    print(notes.refine("how do we rotate keys?", max_tokens=500).text)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tamis.compress.compressing import compress
    from tamis.errors import TamisError
    from tamis.library import Corpus, Library, open
    from tamis.library.refining import Evidence, refine
    from tamis.rerank.memories import rerank_memories as rerank
    from tamis.types import Filter, Hit, Lines, SearchResult

__version__ = "0.1.0"

__all__ = [
    "Corpus",
    "Evidence",
    "Filter",
    "Hit",
    "Library",
    "Lines",
    "SearchResult",
    "TamisError",
    "compress",
    "open",
    "refine",
    "rerank",
]

_HOMES = {
    "Corpus": "tamis.library",
    "Evidence": "tamis.library.refining",
    "Filter": "tamis.types",
    "Hit": "tamis.types",
    "Library": "tamis.library",
    "Lines": "tamis.types",
    "SearchResult": "tamis.types",
    "TamisError": "tamis.errors",
    "open": "tamis.library",
    "refine": "tamis.library.refining",
}
# Packages that can be called: the name is a function to users, and stays a package to whatever imports from it.
_CALLABLE = ("compress", "rerank")


def __getattr__(name: str) -> Any:
    """Bring a public name in when it is first used: importing tamis costs next to nothing."""
    if name in _CALLABLE:
        return importlib.import_module(f"tamis.{name}")
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'tamis' has no attribute {name!r}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
