"""``ports.DenseIndex`` over turbovec: TurboQuant codes, scanned whole with SIMD.

Not calibrated (turbovec's TQ+): the first batches of a growing corpus are a biased sample, and a biased calibration is
worse than none; with candidates rescored there is nothing to gain either (``benchmarks/dense`` shows both).
"""

from __future__ import annotations

import math
import threading
from typing import TYPE_CHECKING

import numpy as np
from turbovec import IdMapIndex

from tamis.dense.index_file import MARKER_BIT, IndexFile, Signature, marker
from tamis.dense.shared_lock import SharedLock
from tamis.dense.sidecar import Saved
from tamis.errors import CorpusError, EmbedCountError, EmbedDimensionError, InputError
from tamis.types import Scored, Stamp

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path
    from typing import Any

    from numpy.typing import NDArray

    from tamis.types import Vectors

    Batches = Iterable[tuple[Sequence[int], NDArray[np.float16]]]

BIT_WIDTH = 4
# turbovec takes multiples of 8 only; zeros at the end change no inner product.
WIDTH_STEP = 8
# turbovec looks every allowed id up, which takes about .1 µs, and some 5 µs for each further candidate: where a filter keeps
# much of a large index, so many times the candidates that it should let through are looked at instead.
SPARE = 1.5
IDS_PER_CANDIDATE = 50


class TurbovecIndex:
    """A dense index in the file ``path`` and a sidecar beside it (``path`` with the suffix ``.json``).

    Ids are below 2**63. Scores are approximate inner products: rescore the best from the float16 truth. Safe to use
    from threads: searches run side by side, a change waits for them and they for it.

    Args:
        path: The index file; its folder must exist when it is saved.
        dimensions: Of every vector. A file of other dimensions counts as no index.
    """

    def __init__(self, path: Path, dimensions: int) -> None:
        self._dimensions = dimensions
        self._width = -(-dimensions // WIDTH_STEP) * WIDTH_STEP
        self._file = IndexFile(path, dimensions, self._width)
        self._seen: Signature | None = None
        self._saved: Saved | None = None
        self._index = self._empty()
        self._stamp: Stamp | None = None
        self._ids: NDArray[np.uint64] | None = None  # all that the index holds, when a filter needed them
        self._changing = threading.RLock()
        self._lock = SharedLock()

    def stamp(self) -> Stamp | None:
        """What the index reflects, ``None`` for nothing usable; takes over what another process saved since.

        Two ``stat`` calls when nothing changed. Never raises, whatever is in the files. What was applied and not saved
        is kept until the files are ahead of it.
        """
        if self._file.signature() != self._seen:
            with self._changing:
                loaded = self._file.read()
                self._seen, self._saved = loaded.signature, loaded.saved
                if loaded.index and loaded.saved and _ahead(loaded.saved.stamp, self._stamp):
                    self._replace(loaded.index, loaded.saved.stamp)
        return self._stamp

    def apply(self, stamp: Stamp, add: Batches, remove: Iterable[int]) -> None:
        """Remove, then add, then move to ``stamp``; an id in ``add`` replaces what is there.

        An empty index is filled aside and then put in place; any other is changed while searches wait. Should ``add``
        or ``remove`` raise, what is on disk holds again.

        Raises:
            EmbedDimensionError: Rows of other dimensions.
            EmbedCountError: As many ids as rows there must be.
            InputError: A row that is not finite, or an id of 2**63 or more.
        """
        with self._changing:
            self._load_once()
            try:
                if self._stamp is None:
                    index = self._empty()
                    self._change(index, add, ())
                    self._mark(index, stamp)
                    self._replace(index, stamp)
                else:
                    with self._lock.alone():
                        self._change(self._index, add, remove)
                        self._index.remove(marker(self._stamp))
                        self._mark(self._index, stamp)
                        self._stamp, self._ids = stamp, None
            except BaseException:
                self._replace(self._empty(), None)
                self._seen = None
                raise

    def save(self) -> None:
        """Write what was applied, durably; nothing when there is no stamp or the file has it already.

        Raises:
            CorpusError: The disk is full, read-only or the like.
        """
        with self._changing:
            if self._stamp is None:
                return
            saved = Saved(self._stamp, len(self))
            if saved == self._saved and self._seen == self._file.signature():
                return
            try:
                self._seen = self._file.write(self._index, saved, self._saved)
            except OSError as error:
                self._seen = None
                raise CorpusError(
                    f"the dense index cannot be saved: {error.strerror or error}",
                    hint="make room on the disk or the folder writable; nothing is lost, the index is derived",
                ) from error
            self._saved = saved

    def clear(self) -> None:
        """Start an empty index in memory; the files stay as they are until ``save``."""
        with self._changing:
            self._replace(self._empty(), None)
            self._seen = self._file.signature()

    def __len__(self) -> int:
        self._load_once()
        return max(0, len(self._index) - 1)

    def search(self, query: Vectors, limit: int, *, ids: NDArray[np.uint64] | None = None) -> list[Scored]:
        """About the best ``limit`` by inner product, best first; ``ids`` keeps to these, unknown ones are ignored.

        Ascending ids need not be sorted anew.

        Raises:
            EmbedDimensionError: A query of other dimensions.
            InputError: A query that is not finite.
        """
        self._load_once()
        rows = self._rows(query[np.newaxis])
        with self._lock.shared():
            if limit <= 0 or len(self._index) <= 1 or (ids is not None and not ids.size):
                return []
            # One more than asked for: the marker scores 0 and may be among the best.
            scores, found = self._scan(rows, limit + 1, ids)
        pairs = zip(found[0].tolist(), scores[0].tolist(), strict=True)
        return [Scored(id, score) for id, score in pairs if id < MARKER_BIT][:limit]

    def _empty(self) -> IdMapIndex:
        return IdMapIndex(dim=self._width, bit_width=BIT_WIDTH)

    def _load_once(self) -> None:
        if self._seen is None:
            self.stamp()

    def _replace(self, index: IdMapIndex, stamp: Stamp | None) -> None:
        with self._lock.alone():
            self._index, self._stamp, self._ids = index, stamp, None

    def _scan(
        self, rows: Vectors, limit: int, ids: NDArray[np.uint64] | None
    ) -> tuple[Vectors, NDArray[np.uint64]]:
        if ids is None:
            return self._index.search(rows, limit)
        allowed = _ascending(ids)
        # The best of all hold the best of those allowed, if there are enough of them.
        wider = math.ceil(SPARE * limit * len(self._index) / len(allowed))
        if wider * IDS_PER_CANDIDATE < len(allowed):
            scores, found = self._index.search(rows, wider)
            kept = _among(found[0], allowed)
            if np.count_nonzero(kept) >= limit:
                return scores[:, kept], found[:, kept]
        try:
            return self._index.search(rows, limit, allowlist=allowed)
        except KeyError:
            known = allowed[_among(allowed, self._held())]
        if not known.size:
            return np.zeros((1, 0), np.float32), known[np.newaxis]
        return self._index.search(rows, limit, allowlist=known)

    def _held(self) -> NDArray[np.uint64]:
        """Ascending ids of all that is held."""
        if self._ids is None:
            # A query of zeros finds everything: 4 ms for 100,000, where asking for each id takes 20.
            _, found = self._index.search(np.zeros((1, self._width), np.float32), len(self._index))
            self._ids = np.sort(found[found < MARKER_BIT])
        return self._ids

    def _change(self, index: IdMapIndex, add: Batches, remove: Iterable[int]) -> None:
        for id in remove:
            index.remove(id)
        for ids, vectors in add:
            rows = self._rows(vectors)
            if len(ids) != len(rows):
                raise EmbedCountError(f"{len(ids)} ids came with {len(rows)} vectors")
            last = {int(id): row for row, id in enumerate(ids)}
            if any(not 0 <= id < MARKER_BIT for id in last):
                raise InputError("the id of a vector must be 0 or more and below 2**63")
            for id in last:
                index.remove(id)
            if last:
                index.add_with_ids(rows[list(last.values())], np.array(list(last), np.uint64), chunk_size=0)

    def _mark(self, index: IdMapIndex, stamp: Stamp) -> None:
        index.add_with_ids(np.zeros((1, self._width), np.float32), np.array([marker(stamp)], np.uint64))

    def _rows(self, vectors: NDArray[np.floating[Any]]) -> Vectors:
        if vectors.ndim != 2 or vectors.shape[1] != self._dimensions:
            raise EmbedDimensionError(
                f"vectors of shape {vectors.shape} do not fit an index of {self._dimensions} dimensions"
            )
        rows = np.zeros((len(vectors), self._width), np.float32)
        rows[:, : self._dimensions] = vectors
        if not np.isfinite(rows).all():
            raise InputError("a vector is not finite")
        return rows


def _ascending(ids: NDArray[np.uint64]) -> NDArray[np.uint64]:
    allowed = np.ascontiguousarray(ids, np.uint64)
    return allowed if bool((allowed[1:] >= allowed[:-1]).all()) else np.sort(allowed)


def _among(ids: NDArray[np.uint64], ascending: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which of the ids are among the ascending ones, of which there are some."""
    places = np.minimum(np.searchsorted(ascending, ids), len(ascending) - 1)
    return ascending[places] == ids


def _ahead(disk: Stamp, memory: Stamp | None) -> bool:
    return memory is None or disk.corpus_id != memory.corpus_id or disk.generation > memory.generation
