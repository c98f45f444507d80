"""What takes part in a search at one generation: counts, files, and the chunks that a filter keeps."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from tamis.fusion import SAMPLE
from tamis.search import filters
from tamis.types import Filter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tamis.storage import Snapshot
    from tamis.types import FileRow, FilterApplied, Totals, Vectors

KEPT_FILTERS = 16

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Scope:
    """``file_ids``: of the files that a filter keeps; ``None`` when everything takes part."""

    totals: Totals
    file_ids: tuple[int, ...] | None = None
    applied: FilterApplied | None = None


class Scopes:
    """The scopes of one corpus at one generation; a filter used again costs nothing."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.key = scopes_key(snapshot)
        self._totals: Totals = snapshot.totals()
        self._files: list[FileRow] | None = None
        self._chunk_files: tuple[NDArray[np.uint64], NDArray[np.int64]] | None = None
        self._sample: Vectors | None = None
        self._filtered: OrderedDict[Filter, Scope] = OrderedDict()
        self._allowed: OrderedDict[Filter, NDArray[np.uint64]] = OrderedDict()

    def scope(self, snapshot: Snapshot, wanted: Filter) -> Scope:
        """The scope of a filter.

        Raises:
            FilterError: The filter is malformed.
        """
        found = self._filtered.get(wanted)
        if found is None:
            found = self._resolve(snapshot, wanted)
            _keep(self._filtered, wanted, found)
        return found

    def allowed(self, snapshot: Snapshot, wanted: Filter) -> NDArray[np.uint64] | None:
        """Ids of the chunks that the filter keeps, ascending, for the dense side; ``None`` when everything takes part.

        Raises:
            FilterError: The filter is malformed.
        """
        scope = self.scope(snapshot, wanted)
        if scope.file_ids is None:
            return None
        found = self._allowed.get(wanted)
        if found is None:
            import numpy as np

            if self._chunk_files is None:
                self._chunk_files = snapshot.chunk_files()
            chunk_ids, file_ids = self._chunk_files
            found = np.sort(chunk_ids[np.isin(file_ids, np.array(scope.file_ids, dtype=np.int64))])
            _keep(self._allowed, wanted, found)
        return found

    def sample(self, snapshot: Snapshot) -> Vectors | None:
        """Some vectors from all over the corpus, against which a query's cosines are measured; ``None`` without any."""
        if self._sample is None:
            import numpy as np

            self._sample = snapshot.sample(SAMPLE).astype(np.float32)
        return self._sample if len(self._sample) else None

    def _resolve(self, snapshot: Snapshot, wanted: Filter) -> Scope:
        if wanted == Filter():
            return Scope(self._totals)
        if self._files is None:
            self._files = list(snapshot.files())
        applied = filters.apply(wanted, self._files)
        return Scope(self._totals) if applied is None else Scope(self._totals, tuple(applied[0]), applied[1])


def scopes_key(snapshot: Snapshot) -> tuple[str, int]:
    """What scopes hold for."""
    return snapshot.manifest.corpus_id, snapshot.at


def _keep(cache: OrderedDict[Filter, Value], key: Filter, value: Value) -> None:
    cache[key] = value
    if len(cache) > KEPT_FILTERS:
        cache.popitem(last=False)
