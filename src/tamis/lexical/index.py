"""The lexical index over tantivy."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from tamis.errors import CorpusError
from tamis.lexical.engine import calls
from tamis.lexical.ranking import among, best, both, union
from tamis.lexical.reading import Reading, opened, version_of
from tamis.lexical.rescoring import ENGINE, best_rescored, shares_of
from tamis.lexical.schema import ID
from tamis.lexical.stemming import check
from tamis.lexical.terms import terms
from tamis.lexical.writing import change, create, writing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from tamis.lexical.terms import Clause
    from tamis.types import Bm25, FieldWeights, LexicalDocument, Scored, Stamp

# The most memory of the writer; a segment is written whenever it is full, of about 60,000 chunks.
HEAP_BYTES = 128_000_000


class TantivyIndex:
    """A ``LexicalIndex`` in a folder of its own. Safe to use from threads; readers in other processes are never blocked.

    What ``search`` and ``explain`` answer from is the state that the last ``stamp``, ``apply`` or ``clear`` of this object saw (the
    first of them looks by itself), so that a caller knows the generation of what it is given.

    BM25's statistics count the marker and, until the engine merges them away, chunks that were removed.

    Args:
        folder: Where it is kept; made by the first write.
        language: That of words in Latin letters in documents whose language cannot be told; a Snowball algorithm, or ``none``.
            An index that was made with another one counts as unusable.
        heap_bytes: Memory of the writer.

    Raises:
        ConfigError: There is no such language.
    """

    def __init__(self, folder: Path, *, language: str = "english", heap_bytes: int = HEAP_BYTES) -> None:
        check(language)
        self._folder = folder
        self._language = language
        self._heap_bytes = heap_bytes
        self._reading: Reading | None = None
        self._opening = threading.Lock()
        self._writing = threading.Lock()

    def stamp(self) -> Stamp | None:
        """What the index on the disk reflects; ``None`` if it is missing, damaged, empty or made by another analysis."""
        reading = self._current()
        return reading.marker.stamp if reading and reading.marker else None

    def search(
        self,
        query: str,
        limit: int,
        *,
        weights: FieldWeights,
        bm25: Bm25,
        file_ids: Sequence[int] | None = None,
    ) -> list[Scored]:
        """The best ``limit`` chunks; see ``LexicalIndex``. BM25's own parameters cost a second pass, see ``rescoring``.

        Raises:
            CorpusError: There is no usable index.
        """
        reading = self._usable()
        clauses = self._clauses(reading, query, weights)
        if not clauses or limit <= 0 or (file_ids is not None and not file_ids):
            return []
        with calls("the index of words cannot be searched"):
            if bm25 == ENGINE:
                return best(reading, union(reading.schema, clauses), limit, file_ids)
            return best_rescored(reading, clauses, bm25, limit, file_ids)

    def explain(
        self, query: str, ids: Sequence[int], *, weights: FieldWeights, bm25: Bm25
    ) -> list[dict[str, float]]:
        """For each id the share of ``title``, ``heading``, ``path`` and ``body`` in its score; see ``LexicalIndex``.

        Raises:
            CorpusError: There is no usable index.
        """
        reading = self._usable()
        clauses = self._clauses(reading, query, weights)
        if not ids or not clauses:
            return [{} for _ in ids]
        with calls("the index of words cannot be searched"):
            if bm25 != ENGINE:
                return shares_of(reading, clauses, bm25, ids)
            found: list[dict[str, float]] = [{} for _ in ids]
            chosen = among(reading.schema, ID, ids)
            for share in dict.fromkeys(clause.share for clause in clauses):
                asked = union(reading.schema, (clause for clause in clauses if clause.share == share))
                scores = dict(best(reading, both(chosen, asked), len(ids)))
                for key, shares in zip(ids, found, strict=True):
                    if key in scores:
                        shares[share] = scores[key]
            return found

    def apply(self, stamp: Stamp, add: Iterable[LexicalDocument], remove: Iterable[int]) -> None:
        """Add and remove chunks and move to ``stamp``, in one atomic commit; see ``LexicalIndex``.

        What ``add`` raises leaves the index as it was.

        Raises:
            CorpusError: There is an index that cannot be read: ``clear`` comes first.
            CorpusBusyError: Another process writes, though only a holder of the corpus lock may.
        """
        with self._writing:
            held = self._current()
            if held is None and version_of(self._folder) is None:
                create(self._folder)
                held = self._current()
            if held is None:
                raise CorpusError("the index of words cannot be read", hint="clear it before writing to it")
            with writing(held.index, self._folder, self._heap_bytes) as writer:
                change(writer, held, stamp, add, remove, self._language)
            self._current()

    def clear(self) -> None:
        """Start an empty index in place of whatever is there, readable or not."""
        with self._writing:
            create(self._folder)
            self._current()

    def _current(self) -> Reading | None:
        """What is on the disk now."""
        reading = self._reading
        version = version_of(self._folder)
        if reading is None or reading.version != version:
            with self._opening:
                reading = self._reading
                if reading is None or reading.version != version_of(self._folder):
                    reading = self._reading = opened(self._folder, self._language)
        return reading

    def _usable(self) -> Reading:
        reading = self._reading or self._current()
        if reading is None:
            raise CorpusError(
                "there is no usable index of words", hint="make it anew with: tamis index or tamis refresh"
            )
        return reading

    def _clauses(self, reading: Reading, query: str, weights: FieldWeights) -> list[Clause]:
        return terms(query, reading.languages(self._language)).clauses(weights)
