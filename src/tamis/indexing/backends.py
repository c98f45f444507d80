"""What the use cases of indexing are given to work with."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from tamis.ports import Embedder
    from tamis.storage import CorpusLock, Derived, Truth, Write
    from tamis.types import Fingerprint


@dataclass(frozen=True, slots=True)
class Backends:
    """One corpus's truth, indexes and locks, and how to get its embedder (which may load a model).

    ``identify`` gives an embedder's fingerprint with a probe, which runs the model once; ``agree`` tells whether vectors of
    two fingerprints may meet. ``lock_wait``: seconds to wait for either lock. ``allowed_roots``: resolved folders whose files may be read.
    ``own_paths``: resolved paths of what tamis keeps for itself, which is nobody's document.
    """

    truth: Truth
    derived: Derived
    write_lock: CorpusLock
    embed_lock: CorpusLock
    lock_wait: float
    embedder: Callable[[str], Embedder]
    identify: Callable[[Embedder], Fingerprint]
    agree: Callable[[Fingerprint, Fingerprint], bool]
    allowed_roots: tuple[str, ...]
    max_file_bytes: int
    own_paths: tuple[str, ...] = ()

    @contextmanager
    def locked(self) -> Generator[None]:
        """Hold the write lock; first bring the indexes to where a writer that was killed should have left them."""
        with self.write_lock.hold(self.lock_wait):
            self.catch_up()
            yield

    @contextmanager
    def write(self) -> Generator[Write]:
        """A write, followed by the derived indexes. The caller holds the write lock."""
        with self.truth.write() as write:
            write.purge(write.generation - 1)
            yield write
        self.catch_up()

    def catch_up(self) -> None:
        """Bring the derived indexes up to date. The caller holds the write lock."""
        with self.truth.snapshot() as snapshot:
            self.derived.catch_up(snapshot)
