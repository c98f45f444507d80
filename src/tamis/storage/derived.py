"""Keeping the derived indexes in step with the truth (DESIGN law 2).

One way serves every case: an index that a write left behind by one generation, one that a crash left behind by more, and one
that was lost gets the changes since the generation that it reflects. What cannot be caught up is built anew from the
truth; no embedder is asked.
"""

from __future__ import annotations

import threading
from functools import cache
from typing import TYPE_CHECKING

from tamis.types import Stamp

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from tamis.ports import DenseIndex, LexicalIndex
    from tamis.storage.snapshot import Snapshot
    from tamis.storage.vector_rows import VectorRows
    from tamis.types import Fingerprint, Manifest

# The file of rows is brought up to date when so many or this share are new: until then the truth is asked for them. It is
# written anew when that makes it half as long or when it is in so many pieces.
NEW_ROWS = 1024
NEW_SHARE = 1 / 16
SPARE_ROWS = 4096
MOST_BLOCKS = 512


def reflected(stamp: Stamp | None, corpus_id: str, manifest: Manifest) -> int | None:
    """The generation from which an index can be brought up to date; ``None`` if it must be built anew."""
    if stamp is None or stamp.corpus_id != corpus_id:
        return None
    if not manifest.purged_through <= stamp.generation <= manifest.generation:
        return None  # what it missed is forgotten, or it knows a future that the truth lost
    return stamp.generation


class Derived:
    """The lexical and the dense index of a corpus, and its vectors in rows.

    ``epoch`` moves whenever either index, as this process sees it, moves: a search whose two sides must agree notes it
    before it starts, and starts over if it has moved. Safe to use from threads.

    Args:
        lexical: Answers searches. It moves by ``look`` alone, so that a search knows what it is answered from.
        writing: The same index on the disk, for changes: a search need not wait for one that is being made.
        open_dense: Opens the dense index for vectors of so many dimensions; not called before there are any.
        open_rows: Opens the vectors in rows; not called before a search or a change has to do with vectors.
    """

    def __init__(
        self,
        lexical: LexicalIndex,
        writing: LexicalIndex,
        open_dense: Callable[[int], DenseIndex],
        open_rows: Callable[[], VectorRows],
    ) -> None:
        self.lexical = lexical
        self._writing = writing
        self._open_dense = open_dense
        self._rows = cache(open_rows)
        self._dense: DenseIndex | None = None
        self._dimensions = 0
        self.epoch = 0
        self._lexical_stamp: Stamp | None = None
        self._moving = threading.Lock()

    def dense(self, fingerprint: Fingerprint) -> DenseIndex:
        """The dense index for vectors of this model."""
        if self._dense is None or self._dimensions != fingerprint.dimensions:
            self._dense, self._dimensions = self._open_dense(fingerprint.dimensions), fingerprint.dimensions
        return self._dense

    def opened(self, manifest: Manifest) -> bool:
        """Whether the dense index for the active model was opened before; the first time takes long."""
        fingerprint = manifest.fingerprint
        return (
            self._dense is not None and fingerprint is not None and self._dimensions == fingerprint.dimensions
        )

    def look(self) -> None:
        """Let searches be answered from the lexical index as it is on the disk now."""
        with self._moving:
            stamp = self.lexical.stamp()
            if stamp != self._lexical_stamp:
                self._lexical_stamp = stamp
                self.epoch += 1

    def lexical_generation(self, manifest: Manifest) -> int | None:
        """The generation that a search of the lexical index is answered from; ``None``: it is of no use as it is.

        An index that has seen the last change of the text is up to date, however many vectors came since.
        """
        since = reflected(self._lexical_stamp, manifest.corpus_id, manifest)
        if since is not None and since >= manifest.text_generation:
            return manifest.generation
        return since

    def generations(self, manifest: Manifest) -> tuple[int, int]:
        """The generations that the lexical and the dense index reflect; 0 for none that can be used."""
        self.look()
        lexical = self.lexical_generation(manifest) or 0
        if manifest.fingerprint is None:
            return lexical, 0
        stamp = self.dense(manifest.fingerprint).stamp()
        return lexical, reflected(stamp, _vectors_of(manifest), manifest) or 0

    def vectors(self, snapshot: Snapshot, ids: Sequence[int]) -> tuple[list[int], NDArray[np.float16]]:
        """The active model's vectors of these chunks, as ids and rows in step; chunks without one are left out."""
        import numpy as np

        manifest = snapshot.manifest
        found, vectors = self._rows().find(Stamp(_vectors_of(manifest), manifest.generation), ids)
        if found and len(found) == len(ids):
            return found, vectors
        others, rest = snapshot.vectors(list(set(ids).difference(found)))
        return [*found, *others], np.concatenate((vectors, rest)) if found else rest

    def catch_up_dense(self, snapshot: Snapshot, *, save: bool = False) -> None:
        """Bring the dense index to the snapshot's generation, in memory, or with ``save`` on the disk."""
        manifest = snapshot.manifest
        if manifest.model_id is None or manifest.fingerprint is None:
            return
        target = Stamp(_vectors_of(manifest), snapshot.at)
        with self._moving:
            dense = self.dense(manifest.fingerprint)
            stamp = dense.stamp()
            if stamp != target:
                self.epoch += 1
                since = reflected(stamp, target.corpus_id, manifest)
                if since is None or since > snapshot.at:
                    dense.clear()
                    since = 0
                dense.apply(target, snapshot.dense_additions(since), snapshot.removals(since))
            if save:
                dense.save()

    def catch_up(self, snapshot: Snapshot) -> None:
        """Bring both indexes up to date on the disk, and the rows where they are far behind. Only for a holder of the corpus lock."""
        manifest = snapshot.manifest
        self.look()
        if self.lexical_generation(manifest) != manifest.generation:
            self._catch_up_lexical(snapshot)
            self.look()
        self.catch_up_dense(snapshot, save=True)
        self._catch_up_rows(snapshot)

    def _catch_up_lexical(self, snapshot: Snapshot) -> None:
        manifest = snapshot.manifest
        since = reflected(self._writing.stamp(), manifest.corpus_id, manifest)
        if since is None:
            self._writing.clear()
            since = 0
        self._writing.apply(
            Stamp(manifest.corpus_id, snapshot.at),
            snapshot.lexical_additions(since),
            snapshot.removals(since),
        )

    def _catch_up_rows(self, snapshot: Snapshot) -> None:
        manifest = snapshot.manifest
        if manifest.fingerprint is None:
            return
        target, dimensions = Stamp(_vectors_of(manifest), snapshot.at), manifest.fingerprint.dimensions
        rows, needed = self._rows(), len(self.dense(manifest.fingerprint))
        since, length = rows.generation(target.corpus_id), len(rows)
        foreign = length and not 0 < since <= target.generation
        if foreign or length > 2 * needed + SPARE_ROWS or rows.blocks > MOST_BLOCKS:
            rows.rewrite(target, dimensions, snapshot.dense_additions(0))
        elif needed and snapshot.dense_news(since) >= max(NEW_ROWS, NEW_SHARE * length):
            rows.extend(target, dimensions, snapshot.dense_additions(since))


def _vectors_of(manifest: Manifest) -> str:
    """Names the set of vectors that answers searches."""
    return f"{manifest.corpus_id}/{manifest.model_id}"
