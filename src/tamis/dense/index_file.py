"""The index on disk: the engine's file, and how a reader knows what is in it.

The stamp is in the engine's file itself, as the id of a vector of zeros (the marker), so that what the file holds and
what it says to reflect change in one commit of the engine. An id cannot be asked for its stamp, so the sidecar names
the stamps to look for. A file that is damaged, an older copy or another corpus's has none of them.
"""

from __future__ import annotations

import hashlib
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from turbovec import IdMapIndex

from tamis.dense import sidecar as sidecars
from tamis.dense.sidecar import Saved, Sidecar

if TYPE_CHECKING:
    from pathlib import Path

    from tamis.types import Stamp

# Chunk ids are below it, markers are not.
MARKER_BIT = 1 << 63
# A writer may commit while a reader reads; so often is a read repeated before it is taken as it is.
READS = 3

Signature = tuple[tuple[int, int, int] | None, ...]


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a read found, and the signature of the files that it came from."""

    signature: Signature
    index: IdMapIndex | None
    saved: Saved | None


def marker(stamp: Stamp) -> int:
    """The id that stands for ``stamp`` in the index."""
    digest = hashlib.blake2b(f"{stamp.corpus_id}:{stamp.generation}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") | MARKER_BIT


class IndexFile:
    """``path`` and its sidecar, ``path`` with the suffix ``.json``."""

    def __init__(self, path: Path, dimensions: int, width: int) -> None:
        self._path = path
        self._sidecar = path.with_suffix(".json")
        self._dimensions = dimensions
        self._width = width

    def signature(self) -> Signature:
        """Changes whenever one of the files does; two ``stat`` calls."""
        return _status(self._path), _status(self._sidecar)

    def read(self) -> Loaded:
        """The index and its stamp; neither when the files do not hold together. Never raises."""
        loaded = Loaded(self.signature(), None, None)
        for _ in range(READS):
            index, saved = self._read()
            before, loaded = loaded, Loaded(self.signature(), index, saved)
            if loaded.signature == before.signature:
                break
        return loaded

    def write(self, index: IdMapIndex, saved: Saved, before: Saved | None) -> Signature:
        """Make ``index`` durable; ``before`` is what the file holds until then.

        The sidecar goes first and names both, then the engine commits: whoever reads in between, or after a crash in
        between, finds the one that the file has.

        Raises:
            OSError: The disk is full, read-only or the like.
        """
        self._sweep()
        stamps = (saved,) if before in {None, saved} else (saved, before)
        sidecars.write(self._sidecar, Sidecar(self._dimensions, tuple(s for s in stamps if s)))
        try:
            index.sync(str(self._path))
        except OSError:
            # Refused when the file is not the one that this object synced last: another process wrote it since, or
            # it was damaged. Then the whole file is replaced.
            index.write(str(self._path))
        return self.signature()

    def _sweep(self) -> None:
        """Remove what writers that were killed left half written beside the files; there is one writer at a time."""
        for left in (f"{self._path.name}.tmp.*", f"{self._sidecar.name}.*.tmp"):
            for path in self._path.parent.glob(left):
                path.unlink(missing_ok=True)

    def _read(self) -> tuple[IdMapIndex | None, Saved | None]:
        sidecar = sidecars.read(self._sidecar)
        if sidecar is None or sidecar.dimensions != self._dimensions:
            return None, None
        try:
            with warnings.catch_warnings():
                # That a torn file was read up to its last whole commit: the stamp in it says which, and the truth has the rest.
                warnings.simplefilter("ignore", RuntimeWarning)
                index = IdMapIndex.load(str(self._path))
        except (OSError, ValueError, MemoryError):
            return None, None
        if index.dim == self._width:
            for saved in sidecar.stamps:
                if len(index) == saved.count + 1 and marker(saved.stamp) in index:
                    return index, saved
        return None, None


def _status(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
