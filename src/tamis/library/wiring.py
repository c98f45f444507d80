"""Which back ends a corpus gets: the only place that knows them all."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING

from tamis.errors import CorpusBusyError
from tamis.lexical import TantivyIndex
from tamis.library.paths import own_paths
from tamis.search.engine import Engine
from tamis.search.view import Searchable
from tamis.storage import CorpusLock, Derived, Truth

if TYPE_CHECKING:
    from pathlib import Path

    from tamis.config import Config
    from tamis.indexing.backends import Backends
    from tamis.ports import DenseIndex, Embedder
    from tamis.storage.vector_rows import VectorRows


class Embedders:
    """Embedders by name, each made once; making one may load a model."""

    def __init__(self, home: Path, config: Config) -> None:
        self._home = home
        self._config = config
        self._made: dict[str, Embedder] = {}
        self._making = threading.Lock()

    def __call__(self, name: str) -> Embedder:
        with self._making:
            if name not in self._made:
                from msgspec.structs import asdict

                from tamis import embedders

                options = getattr(self._config.embedder, name.partition(":")[0], None)
                self._made[name] = embedders.get(
                    name, cache=self._home / "cache", options=None if options is None else asdict(options)
                )
            return self._made[name]


class Wired:
    """One corpus's parts, put together."""

    def __init__(
        self, folder: Path, config: Config, embedders: Embedders, allowed_roots: tuple[str, ...]
    ) -> None:
        self.folder = folder
        self._made = folder.stat().st_ino
        self.truth = Truth(folder / "corpus.db")
        open_lexical = partial(TantivyIndex, folder / "lexical", language=_language(self.truth, config))
        self.derived = Derived(
            open_lexical(),
            open_lexical(),
            partial(_open_dense, folder / "dense.tvim"),
            partial(_open_rows, folder / "dense.rows"),
        )
        self.write_lock = CorpusLock(folder, "write")
        self.engine = Engine(Searchable(self.truth, self.derived, embedders, self.heal))
        self.embedders = embedders
        self._config = config
        self._allowed_roots = allowed_roots

    @property
    def backends(self) -> Backends:
        """What the use cases of indexing work with."""
        from tamis.embedders import agree, with_probe
        from tamis.indexing.backends import Backends

        return Backends(
            truth=self.truth,
            derived=self.derived,
            write_lock=self.write_lock,
            embed_lock=CorpusLock(self.folder, "embed"),
            lock_wait=self._config.index.lock_wait_seconds,
            embedder=self.embedders,
            identify=with_probe,
            agree=agree,
            allowed_roots=self._allowed_roots,
            max_file_bytes=round(self._config.index.max_file_mb * 1_000_000),
            own_paths=own_paths(self.folder.parents[1]),
        )

    @property
    def alive(self) -> bool:
        """Whether this is still the corpus on the disk; another process may have removed it and made a new one."""
        try:
            return self.folder.stat().st_ino == self._made
        except OSError:
            return False

    def close(self) -> None:
        """Let go of the database."""
        self.truth.close()

    def heal(self) -> bool:
        """Bring the derived indexes up to date, unless a writer is at work, who will, or the folder is to be read only."""
        if not self.write_lock.possible:
            return False
        try:
            with self.write_lock.hold(0), self.truth.snapshot() as snapshot:
                self.derived.catch_up(snapshot)
        except CorpusBusyError:
            return False
        return True


def _language(truth: Truth, config: Config) -> str:
    """The corpus's own, or the configured one for a corpus that is about to be made."""
    if not truth.exists():
        return config.index.language
    with truth.snapshot() as snapshot:
        return snapshot.manifest.settings.language


def _open_dense(path: Path, dimensions: int) -> DenseIndex:
    from tamis.dense import TurbovecIndex

    return TurbovecIndex(path, dimensions)


def _open_rows(path: Path) -> VectorRows:
    from tamis.storage.vector_rows import VectorRows

    return VectorRows(path)
