"""The file of rows gives what was put into it, or nothing, whatever becomes of it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamis.errors import CorpusError
from tamis.storage.vector_rows import VectorRows
from tamis.types import Stamp

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Batch = tuple[list[int], NDArray[np.float16]]

DIMENSIONS = 5
NOW = Stamp("corpus/1", 99)


def batch(vectors: dict[int, float]) -> Batch:
    """Ids with a vector each that has the same number everywhere."""
    return list(vectors), np.repeat(np.array(list(vectors.values()), np.float16)[:, None], DIMENSIONS, axis=1)


def at(generation: int) -> Stamp:
    return Stamp(NOW.corpus_id, generation)


def found(rows: VectorRows, ids: Sequence[int], stamp: Stamp = NOW) -> dict[int, float]:
    """Each id that has a vector, with the number in it."""
    keys, vectors = rows.find(stamp, ids)
    assert all(len(set(row.tolist())) == 1 for row in vectors)
    return {key: float(row[0]) for key, row in zip(keys, vectors, strict=True)}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "dense.rows"


def test_vectors_are_found_by_id_in_the_order_asked_for(path: Path) -> None:
    rows = VectorRows(path)
    rows.extend(at(1), DIMENSIONS, [batch({7: 0.7, 3: 0.3}), batch({11: 1.1})])
    rows.extend(at(2), DIMENSIONS, [batch({5: 0.5})])
    keys, vectors = rows.find(NOW, [11, 4, 3, 5])
    assert keys == [11, 3, 5]
    assert vectors.dtype == np.float16
    assert vectors.tolist() == np.float16([[1.1] * 5, [0.3] * 5, [0.5] * 5]).tolist()
    assert (rows.generation(NOW.corpus_id), len(rows), rows.blocks) == (2, 4, 3)


def test_of_two_vectors_of_a_chunk_the_later_counts(path: Path) -> None:
    rows = VectorRows(path)
    rows.extend(at(1), DIMENSIONS, [batch({1: 0.5, 2: 0.25}), batch({1: 1.5})])
    rows.extend(at(2), DIMENSIONS, [batch({2: 2.5})])
    assert found(rows, [1, 2]) == {1: 1.5, 2: 2.5}


def test_nothing_is_there_before_the_first_vector(path: Path) -> None:
    rows = VectorRows(path)
    assert (found(rows, [1]), rows.generation(NOW.corpus_id), len(rows)) == ({}, 0, 0)
    rows.extend(at(1), DIMENSIONS, [])
    rows.rewrite(at(1), DIMENSIONS, [batch({})])
    assert list(path.parent.iterdir()) == []
    rows.extend(at(2), DIMENSIONS, [batch({1: 0.5})])
    assert found(rows, []) == {}
    rows.rewrite(at(3), DIMENSIONS, [])
    assert list(path.parent.iterdir()) == []


def test_that_nothing_is_new_is_remembered(path: Path) -> None:
    rows = VectorRows(path)
    rows.extend(at(1), DIMENSIONS, [batch({1: 0.5})])
    rows.extend(at(3), DIMENSIONS, [batch({})])
    assert (rows.generation(NOW.corpus_id), len(rows)) == (3, 1)
    rows.extend(at(4), DIMENSIONS, [batch({2: 1.0})])
    assert found(VectorRows(path), [1, 2]) == {1: 0.5, 2: 1.0}


def test_another_set_of_vectors_is_not_believed_and_is_replaced(path: Path) -> None:
    rows = VectorRows(path)
    rows.extend(Stamp("corpus/1", 4), DIMENSIONS, [batch({1: 0.5, 2: 0.5})])
    other = Stamp("corpus/2", 9)
    assert found(rows, [1], other) == {}
    assert rows.generation("corpus/2") == 0
    rows.extend(other, 3, [([1], np.float16([[1, 2, 3]]))])
    keys, vectors = rows.find(other, [1, 2])
    assert (keys, vectors.tolist()) == ([1], [[1, 2, 3]])
    assert found(rows, [1, 2]) == {}


def test_a_file_that_knows_a_later_generation_is_not_believed(path: Path) -> None:
    """The truth was put back from a copy: the ids after it may be given out again."""
    rows = VectorRows(path)
    rows.extend(at(5), DIMENSIONS, [batch({1: 0.5})])
    assert found(rows, [1], at(4)) == {}
    assert found(rows, [1], at(5)) == {1: 0.5}
    rows.rewrite(at(4), DIMENSIONS, [batch({1: 0.75})])
    assert found(rows, [1], at(4)) == {1: 0.75}
    assert len(rows) == 1


def test_a_reader_sees_what_another_process_wrote_since(path: Path) -> None:
    writer, reader = VectorRows(path), VectorRows(path)
    writer.extend(at(1), DIMENSIONS, [batch({1: 0.5})])
    assert found(reader, [1, 2]) == {1: 0.5}
    writer.extend(at(2), DIMENSIONS, [batch({2: 1.0})])
    assert found(reader, [1, 2]) == {1: 0.5, 2: 1.0}
    writer.rewrite(at(3), DIMENSIONS, [batch({2: 2.0})])
    assert found(reader, [1, 2]) == {2: 2.0}
    path.unlink()
    assert found(reader, [1, 2]) == {}


def test_a_write_that_ends_midway_leaves_what_was_there(path: Path) -> None:
    def broken() -> Iterator[Batch]:
        yield batch({2: 1.0})
        raise KeyboardInterrupt

    rows = VectorRows(path)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            rows.extend(at(1), DIMENSIONS, broken())
        assert list(path.parent.iterdir()) == []
    rows.extend(at(1), DIMENSIONS, [batch({1: 0.5})])
    with pytest.raises(KeyboardInterrupt):
        rows.extend(at(2), DIMENSIONS, broken())
    for again in (rows, VectorRows(path)):
        assert found(again, [1, 2]) == {1: 0.5}
        assert again.generation(NOW.corpus_id) == 1
    rows.extend(at(2), DIMENSIONS, [batch({3: 1.5})])
    assert found(VectorRows(path), [1, 2, 3]) == {1: 0.5, 3: 1.5}


def test_what_a_head_speaks_for_is_never_written_over_though_the_file_looks_the_same(path: Path) -> None:
    VectorRows(path).extend(at(1), DIMENSIONS, [batch({1: 0.5})])
    with path.open("ab") as file:
        file.write(b"a torn end, longer than what is written over it" * 20)
    os.utime(path, ns=(1, 1))
    one, two = VectorRows(path), VectorRows(path)
    assert found(one, [1]) == found(two, [1]) == {1: 0.5}
    two.extend(at(2), DIMENSIONS, [batch({2: 1.0})])
    os.utime(path, ns=(1, 1))
    one.extend(at(3), DIMENSIONS, [batch({3: 1.5})])
    assert found(VectorRows(path), [1, 2, 3]) == {1: 0.5, 2: 1.0, 3: 1.5}


def test_a_folder_that_is_gone_is_an_error_with_a_hint(tmp_path: Path) -> None:
    rows = VectorRows(tmp_path / "gone" / "dense.rows")
    for write in (rows.extend, rows.rewrite):
        with pytest.raises(CorpusError, match="rows of vectors cannot be saved: No such file") as raised:
            write(at(1), DIMENSIONS, [batch({1: 0.5})])
        assert "nothing is lost" in (raised.value.hint or "")


numbers = st.floats(-2, 2, width=16)
batches = st.lists(
    st.dictionaries(st.integers(1, 40), numbers, min_size=1, max_size=30), min_size=1, max_size=3
)


@settings(max_examples=60, deadline=None)
@given(
    writes=st.lists(batches, min_size=1, max_size=4),
    dimensions=st.integers(1, 70),
    left=st.one_of(st.integers(0, 10_000), st.binary(max_size=100)),
)
def test_a_torn_file_gives_what_was_written_first_or_nothing_and_can_be_written_on(
    writes: list[list[dict[int, float]]], dimensions: int, left: int | bytes
) -> None:
    """After a cut anywhere, or with anything behind it."""

    def of(vectors: dict[int, float]) -> Batch:
        return list(vectors), np.repeat(np.float16(list(vectors.values()))[:, None], dimensions, axis=1)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "dense.rows"
        rows = VectorRows(path)
        states: list[dict[int, float]] = [{}]
        for generation, write in enumerate(writes, 1):
            rows.extend(at(generation), dimensions, [of(vectors) for vectors in write])
            for vectors in write:
                states.append(states[-1] | vectors)
        assert found(rows, range(50)) == states[-1]
        content = path.read_bytes()
        path.unlink()  # the one that is mapped stays whole
        path.write_bytes(content + left if isinstance(left, bytes) else content[: left % (len(content) + 1)])
        torn = VectorRows(path)
        known = found(torn, range(50))
        assert known in states
        torn.extend(at(50), dimensions, [of({1: 1.0, 45: 0.5})])
        for again in (torn, VectorRows(path)):
            assert found(again, range(50)) == known | {1: 1.0, 45: 0.5}
            assert again.generation(NOW.corpus_id) == 50


@settings(max_examples=60, deadline=None)
@given(writes=batches, place=st.integers(0, 10_000), bit=st.integers(0, 7))
def test_a_changed_bit_in_heads_or_ids_is_noticed(
    writes: list[dict[int, float]], place: int, bit: int
) -> None:
    """One in the vectors is not, as it would not be in the truth."""
    ones = [dict.fromkeys(vectors, 1.0) for vectors in writes]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "dense.rows"
        VectorRows(path).extend(at(1), DIMENSIONS, [batch(vectors) for vectors in ones])
        content = bytearray(path.read_bytes())
        content[place % len(content)] ^= 1 << bit
        path.unlink()
        path.write_bytes(content)
        known = {key for vectors in ones for key in vectors}
        keys, _ = VectorRows(path).find(NOW, range(50))
        assert known.issuperset(keys)


def test_it_can_be_read_while_it_is_not_to_be_written(path: Path) -> None:
    VectorRows(path).extend(at(1), DIMENSIONS, [batch({1: 0.5})])
    path.chmod(0o444)
    assert found(VectorRows(path), [1]) == {1: 0.5}
    path.parent.chmod(0o555)
    try:
        assert found(VectorRows(path), [1]) == {1: 0.5}
        if os.geteuid():
            with pytest.raises(CorpusError):
                VectorRows(path).extend(at(2), DIMENSIONS, [batch({2: 0.5})])
    finally:
        path.parent.chmod(0o755)
