"""One state of the index on the disk, open for reading."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tamis.errors import CorpusError
from tamis.lexical.engine import calls
from tamis.lexical.integrity import META, sound
from tamis.lexical.schema import MARKER, Marker, parsed

if TYPE_CHECKING:
    from collections.abc import Generator

    import tantivy

# Of the documents; a language of fewer is a few misjudged ones.
_MIN_SHARE = 0.02
_ATTEMPTS = 3
LOCK = ".tantivy-meta.lock"  # the engine's; it never removes it


@dataclass(frozen=True, slots=True)
class Reading:
    """An open index. Files that a later commit deletes stay readable through it.

    ``version`` tells apart the states of the index on the disk; ``marker`` is ``None`` before the first commit.
    """

    version: tuple[int, ...]
    index: tantivy.Index
    schema: tantivy.Schema
    searcher: tantivy.Searcher
    marker: Marker | None

    def languages(self, default: str) -> list[str]:
        """The languages of the documents, the commonest first."""
        counts = Counter(self.marker.languages if self.marker else ())
        floor = _MIN_SHARE * sum(counts.values())
        ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        return [language for language, count in ranked if count >= floor] or [default]


def version_of(folder: Path) -> tuple[int, ...] | None:
    """Tells apart the states of the index in ``folder`` without opening it; ``None``: there is none."""
    try:
        stat = (folder / META).stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size, stat.st_ino


def opened(folder: Path, language: str) -> Reading | None:
    """Open the index in ``folder``; ``None`` if it is missing, damaged, or of another format or analysis."""
    for _ in range(_ATTEMPTS):
        version = version_of(folder)
        if version is None:
            return None
        reading = _opened(folder, version, language)
        # A commit in another process may have replaced the files while they were being opened.
        if reading is not None or version == version_of(folder):
            return reading
    return None


def _opened(folder: Path, version: tuple[int, ...], language: str) -> Reading | None:
    import tantivy

    if not sound(folder):
        return None
    try:
        with calls("the index of words cannot be opened"), _lockable(folder) as place:
            index = tantivy.Index.open(str(place))
            index.config_reader("manual", 0)
            schema, searcher = index.schema, index.searcher()
            found = searcher.search(tantivy.Query.term_query(schema, MARKER, 1), 1, count=False).hits
            if not found:
                return Reading(version, index, schema, searcher, None) if searcher.num_docs == 0 else None
            marker = parsed(searcher.doc(found[0][1]), language)
    except (CorpusError, KeyError, TypeError, IndexError):
        return None
    return Reading(version, index, schema, searcher, marker) if marker else None


@contextmanager
def _lockable(folder: Path) -> Generator[Path]:
    """The folder, or one of links to its files where the engine may not make the lock that it opens an index with.

    What is open stays readable when the links are gone.
    """
    lock = folder / LOCK
    effective = os.access in os.supports_effective_ids
    if os.access(lock if lock.exists() else folder, os.W_OK, effective_ids=effective):
        yield folder
        return
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="tamis-") as made:
        for path in folder.iterdir():
            if path.suffix != ".lock":
                os.symlink(path.absolute(), os.path.join(made, path.name))
        yield Path(made)
