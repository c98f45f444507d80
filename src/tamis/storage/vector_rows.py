"""Vectors in rows: a file that gives those of some hundred chunks in a tenth of the time that SQLite takes.

It is a copy of the truth's, mapped into memory, for the exact scores of a search's candidates. The truth is asked for what the
file does not hold, so it may be behind, damaged or not there at all.

The file is a sequence of blocks: a head, the ids of some chunks, their vectors. Each of the three begins at a multiple of a
row's bytes, so that the whole file can be read as rows. Heads are written when all else is on the disk, and each is checked
together with the one before it: what is behind a sound head is whole. Nothing that a head speaks for is ever changed, and
a file that is written anew takes the place of the old one at once.
"""

from __future__ import annotations

import mmap
import os
import struct
import zlib
from contextlib import suppress
from functools import cached_property
from typing import IO, TYPE_CHECKING, NamedTuple

from tamis.errors import CorpusError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from tamis.types import Stamp

    Batches = Iterable[tuple[Sequence[int], NDArray[np.float16]]]

# Magic, whose vectors they are, dimensions, number of rows, generation; then the check of all that and of the ids.
_FIELDS = struct.Struct("<8s16sIIQ")
_CHECK = struct.Struct("<I")
_HEAD_BYTES = _FIELDS.size + _CHECK.size
_MAGIC = b"tamisrow"
_ID_BYTES = 8
_NUMBER_BYTES = 2


class _Block(NamedTuple):
    """Of one block: what its head says, and where it and its parts begin and end, in bytes."""

    owner: bytes
    dimensions: int
    length: int
    generation: int
    check: int
    start: int
    ids: int
    rows: int
    end: int


class _Held:
    """One state of the file. ``signature`` changes whenever the file does; there is at least one block."""

    def __init__(
        self, signature: tuple[int, int, int], mapped: mmap.mmap, blocks: tuple[_Block, ...]
    ) -> None:
        self.signature = signature
        self.blocks = blocks
        self._map = mapped

    @property
    def last(self) -> _Block:
        return self.blocks[-1]

    @cached_property
    def places(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Ids, ascending, and the row of the file that each one's vector is; of equal ids the later comes last."""
        import numpy as np

        row_bytes = _NUMBER_BYTES * self.last.dimensions
        ids = np.concatenate(
            [np.frombuffer(self._map, "<i8", block.length, block.ids) for block in self.blocks]
        )
        rows = np.concatenate([block.rows // row_bytes + np.arange(block.length) for block in self.blocks])
        if (ids[1:] > ids[:-1]).all():
            return ids, rows
        order = np.argsort(ids, kind="stable")
        return ids[order], rows[order]

    @cached_property
    def matrix(self) -> NDArray[np.float16]:
        """The file as rows; those that hold heads and ids mean nothing."""
        import numpy as np

        dimensions = self.last.dimensions
        numbers = self.last.end // _NUMBER_BYTES
        return np.frombuffer(self._map, "<f2", numbers).reshape(-1, dimensions)


class VectorRows:
    """The rows in the file ``path``. Safe to use from threads; only a holder of the corpus lock may write.

    A set of vectors is named by a stamp's ``corpus_id``, as in the dense index.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._temporary = path.with_name(f"{path.name}.tmp")
        self._held: _Held | None = None

    def generation(self, owner: str) -> int:
        """The generation whose vectors of this set are all here; 0 where there are none of the set."""
        held = self._current()
        return held.last.generation if held and held.last.owner == _digest(owner) else 0

    def __len__(self) -> int:
        """Number of rows, with those of chunks that are gone."""
        held = self._current()
        return sum(block.length for block in held.blocks) if held else 0

    @property
    def blocks(self) -> int:
        """Number of blocks; a reader checks every one."""
        held = self._current()
        return len(held.blocks) if held else 0

    def find(self, stamp: Stamp, ids: Sequence[int]) -> tuple[list[int], NDArray[np.float16]]:
        """Those of the ids that have a vector in this set here, and the vectors, in step.

        None from a file that knows more than ``stamp``: the truth was put back to an earlier state.
        """
        import numpy as np

        held = self._current()
        if (
            held is None
            or held.last.owner != _digest(stamp.corpus_id)
            or held.last.generation > stamp.generation
        ):
            return [], np.zeros((0, 0), np.float16)
        known, rows = held.places
        wanted = np.array(ids, np.int64)
        at = np.searchsorted(known, wanted, side="right") - 1
        there = known[at] == wanted
        return wanted[there].tolist(), held.matrix[rows[at[there]]]

    def extend(self, stamp: Stamp, dimensions: int, batches: Batches) -> None:
        """Add vectors, which complete the set up to the stamp's generation; no file is made where there are none.

        Raises:
            CorpusError: The disk is full, read-only or the like.
        """
        # Read again: a file whose end was torn off and written over may look as it did before.
        self._held = None
        held = self._current()
        if held is None or held.last.owner != _digest(stamp.corpus_id):
            self.rewrite(stamp, dimensions, batches)
            return
        try:
            self._temporary.unlink(missing_ok=True)  # of a writer that was killed
            with self._path.open("r+b") as file:
                _write(file, held.last, stamp.generation, batches)
        except OSError as error:
            raise _not_saved(error) from error
        self._held = None

    def rewrite(self, stamp: Stamp, dimensions: int, batches: Batches) -> None:
        """Put these vectors, which are the whole set at the stamp's generation, in the place of whatever is there; no file is
        left where there are none.

        Raises:
            CorpusError: The disk is full, read-only or the like.
        """
        start = _Block(_digest(stamp.corpus_id), dimensions, 0, 0, 0, 0, 0, 0, 0)
        try:
            with self._temporary.open("wb") as file:
                written = _write(file, start, stamp.generation, batches)
            if written:
                self._temporary.replace(self._path)
            else:
                self._path.unlink(missing_ok=True)
        except OSError as error:
            raise _not_saved(error) from error
        finally:
            with suppress(OSError):
                self._temporary.unlink()

    def _current(self) -> _Held | None:
        """What is in the file now; ``None`` when there is nothing sound in it."""
        try:
            status = self._path.stat()
            signature = status.st_mtime_ns, status.st_size, status.st_ino
            if self._held is None or self._held.signature != signature:
                self._held = _read(self._path)
        except (OSError, ValueError):  # the latter where it was cut short in between
            self._held = None
        return self._held


def _read(path: Path) -> _Held | None:
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        if status.st_size < _HEAD_BYTES:
            return None
        mapped = mmap.mmap(file.fileno(), status.st_size, access=mmap.ACCESS_READ)
    blocks: list[_Block] = []
    while block := _next(mapped, blocks[-1] if blocks else None):
        blocks.append(block)
    if not blocks:
        return None
    return _Held((status.st_mtime_ns, status.st_size, status.st_ino), mapped, tuple(blocks))


def _next(mapped: mmap.mmap, before: _Block | None) -> _Block | None:
    """The block behind ``before``, or the first; ``None`` where none that is sound begins."""
    start, chain = (before.end, before.check) if before else (0, 0)
    if start + _HEAD_BYTES > len(mapped):
        return None
    magic, owner, dimensions, length, generation = _FIELDS.unpack_from(mapped, start)
    if magic != _MAGIC or not dimensions:
        return None
    (check,) = _CHECK.unpack_from(mapped, start + _FIELDS.size)
    block = _laid_out(_Block(owner, dimensions, length, generation, check, start, 0, 0, 0))
    if block.end > len(mapped):
        return None
    ids = mapped[block.ids : block.ids + _ID_BYTES * length]
    return block if check == _checked(mapped[start : start + _FIELDS.size], ids, chain) else None


def _laid_out(block: _Block) -> _Block:
    """With the places that follow from its start and its length."""
    row_bytes = _NUMBER_BYTES * block.dimensions
    ids = block.start + _padded(_HEAD_BYTES, row_bytes)
    rows = ids + _padded(_ID_BYTES * block.length, row_bytes)
    return block._replace(ids=ids, rows=rows, end=rows + row_bytes * block.length)


def _write(file: IO[bytes], before: _Block, generation: int, batches: Batches) -> bool:
    """Write blocks behind ``before``, the last of which says ``generation``; whether there was anything to say."""
    blocks = list(_written(file, before, batches))
    if not blocks and before.end:  # nothing is new up to this generation, which has to be remembered
        empty = _laid_out(before._replace(length=0, start=before.end))
        file.seek(empty.end - 1)
        file.write(b"\0")
        blocks = [(empty, b"")]
    _sync(file)
    chain = before.check
    for place, (block, ids) in enumerate(blocks, 1):
        complete = generation if place == len(blocks) else before.generation
        fields = _FIELDS.pack(_MAGIC, block.owner, block.dimensions, block.length, complete)
        chain = _checked(fields, ids, chain)
        file.seek(block.start)
        file.write(fields + _CHECK.pack(chain))
    _sync(file)
    return bool(blocks)


def _written(file: IO[bytes], before: _Block, batches: Batches) -> Iterator[tuple[_Block, bytes]]:
    """Blocks whose ids and vectors were written behind ``before``, and the ids."""
    import numpy as np

    end = before.end
    for ids, vectors in batches:
        if len(ids):
            block = _laid_out(before._replace(length=len(ids), start=end))
            numbers = np.array(ids, "<i8").tobytes()
            file.seek(block.ids)
            file.write(numbers)
            file.seek(block.rows)
            file.write(np.ascontiguousarray(vectors, "<f2").tobytes())
            end = block.end
            yield block, numbers


def _sync(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())


def _checked(fields: bytes, ids: bytes, chain: int) -> int:
    """The check of a block behind one whose check is ``chain``."""
    return zlib.crc32(ids, zlib.crc32(fields, chain))


def _padded(size: int, unit: int) -> int:
    return -(-size // unit) * unit


def _digest(owner: str) -> bytes:
    from hashlib import blake2b

    return blake2b(owner.encode(), digest_size=16).digest()


def _not_saved(error: OSError) -> CorpusError:
    return CorpusError(
        f"the rows of vectors cannot be saved: {error.strerror or error}",
        hint="make room on the disk or the folder writable; nothing is lost, they are derived",
    )
