"""tamis: index, search, rerank and compress your own documents, on one machine.

::

    import tamis

    library = tamis.open()
    notes = library.index("notes", ["~/notes"])
    for hit in notes.search("how do we rotate keys?", top_k=5):
        print(hit.path, hit.lines, hit.text)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tamis.errors import TamisError
    from tamis.library import Corpus, Library, open
    from tamis.types import Filter, Hit, Lines, SearchResult

__version__ = "0.1.0"

__all__ = ["Corpus", "Filter", "Hit", "Library", "Lines", "SearchResult", "TamisError", "open"]

_HOMES = {
    "Corpus": "tamis.library",
    "Filter": "tamis.types",
    "Hit": "tamis.types",
    "Library": "tamis.library",
    "Lines": "tamis.types",
    "SearchResult": "tamis.types",
    "TamisError": "tamis.errors",
    "open": "tamis.library",
}


def __getattr__(name: str) -> Any:
    """Bring a public name in when it is first used: importing tamis costs next to nothing."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'tamis' has no attribute {name!r}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
