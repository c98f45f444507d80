"""A consistent view of a corpus for one search (DESIGN law 1): one generation in all three parts."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from tamis.ports import Embedder
    from tamis.storage import Derived, Snapshot, Truth
    from tamis.types import Manifest

# Looks taken before a search goes on without the lexical side; each takes well under a millisecond.
ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Searchable:
    """What a search of one corpus is given to work with.

    ``heal`` brings the derived indexes up to date if no writer is at work, and says whether it did.
    """

    truth: Truth
    derived: Derived
    embedder: Callable[[str], Embedder]
    heal: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class View:
    """A snapshot of the truth, pinned to the generation that the lexical index answers from.

    ``lexical``: whether the lexical index can be searched; it cannot while another process rebuilds it.
    """

    snapshot: Snapshot
    derived: Derived
    epoch: int
    lexical: bool

    @property
    def vectors(self) -> int:
        """How many chunks the dense side knows."""
        fingerprint = self.snapshot.manifest.fingerprint
        return 0 if fingerprint is None else len(self.derived.dense(fingerprint))

    @property
    def steady(self) -> bool:
        """Whether both indexes still stand as they did when the view was taken."""
        return self.derived.epoch == self.epoch


@contextmanager
def view(searchable: Searchable, opening: Callable[[Manifest], None] | None) -> Generator[View]:
    """A view of the newest generation that can be answered from without waiting for a writer.

    ``opening``: called before the dense index is opened for the first time, which takes long; ``None`` for a search without a
    dense side.
    """
    derived = searchable.derived
    for attempt in range(1, ATTEMPTS + 1):
        with ExitStack() as stack:
            # The lexical index first, then the truth: what is committed in between makes the truth newer, never older.
            derived.look()
            snapshot = stack.enter_context(searchable.truth.snapshot())
            generation = derived.lexical_generation(snapshot.manifest)
            # Behind once is a writer at work or one that was killed; of no use at all may be a writer's purge that
            # came between the two looks.
            wanting = generation is None or (attempt == 1 and generation != snapshot.manifest.generation)
            if wanting and attempt < ATTEMPTS:
                stack.close()
                searchable.heal()
                continue
            if generation is not None:
                snapshot.at = generation
            if opening is not None:
                if not derived.opened(snapshot.manifest):
                    opening(snapshot.manifest)
                derived.catch_up_dense(snapshot)
            yield View(snapshot, derived, derived.epoch, generation is not None)
            return
