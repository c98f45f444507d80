"""Law 2 and 3 of the design: the dense index is derived, knows what it reflects, and never lies about it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamis.dense import TurbovecIndex, turbovec_index
from tamis.errors import CorpusError, EmbedCountError, EmbedDimensionError, InputError
from tamis.types import Stamp

if TYPE_CHECKING:
    from pathlib import Path

DIMENSIONS = 32
G1, G2, G3 = Stamp("corpus", 1), Stamp("corpus", 2), Stamp("corpus", 3)


def unit(count: int, dimensions: int = DIMENSIONS, seed: int = 0) -> np.ndarray:
    rows = np.random.default_rng(seed).standard_normal((count, dimensions)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def half(rows: np.ndarray) -> np.ndarray:
    return rows.astype(np.float16)


def ids_of(index: TurbovecIndex, query: np.ndarray, limit: int, **options: np.ndarray) -> list[int]:
    return [hit.id for hit in index.search(query, limit, **options)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "dense.tvim"


def filled(path: Path, count: int, stamp: Stamp = G1) -> TurbovecIndex:
    index = TurbovecIndex(path, DIMENSIONS)
    index.apply(stamp, [(range(count), half(unit(count)))], [])
    return index


def test_an_index_that_was_never_written_has_no_stamp_no_vectors_and_no_hits(path: Path) -> None:
    index = TurbovecIndex(path, DIMENSIONS)
    assert index.stamp() is None
    assert len(index) == 0
    assert index.search(unit(1)[0], 5) == []


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_tiny_index_ranks_all_it_has(path: Path, count: int) -> None:
    index = TurbovecIndex(path, DIMENSIONS)
    index.apply(G1, [(range(count), half(np.eye(DIMENSIONS)[:count]))], [])
    assert len(index) == count
    query = np.array([0.9, 0.5, 0.1] + [0.0] * (DIMENSIONS - 3), np.float32)
    assert ids_of(index, query, 10) == list(range(count))
    assert ids_of(index, -query, 10) == list(range(count))[::-1]


def test_each_vector_finds_itself_first_with_about_its_inner_product(path: Path) -> None:
    rows = unit(500)
    index = filled(path, 500)
    for i in range(0, 500, 50):
        best = index.search(rows[i], 1)[0]
        assert best.id == i
        assert best.score == pytest.approx(1.0, abs=0.05)


def test_a_limit_of_nought_or_less_finds_nothing(path: Path) -> None:
    index = filled(path, 3)
    assert index.search(unit(1)[0], 0) == []
    assert index.search(unit(1)[0], -1) == []


@pytest.mark.parametrize("dimensions", [1, 7, 8, 10, 383])
def test_any_number_of_dimensions_will_do(path: Path, dimensions: int) -> None:
    rows = unit(20, dimensions)
    index = TurbovecIndex(path, dimensions)
    index.apply(G1, [(range(20), half(rows))], [])
    index.save()
    again = TurbovecIndex(path, dimensions)
    assert again.stamp() == G1
    best = again.search(rows[7], 1)[0]
    assert best.score == pytest.approx(1.0, abs=0.2)


def test_adding_an_id_again_replaces_its_vector(path: Path) -> None:
    index = filled(path, 50)
    other = unit(1, seed=5)
    index.apply(G2, [([7], half(other))], [])
    assert len(index) == 50
    assert ids_of(index, other[0], 1) == [7]


def test_an_id_twice_in_one_batch_keeps_the_last_vector(path: Path) -> None:
    rows = unit(2)
    index = TurbovecIndex(path, DIMENSIONS)
    index.apply(G1, [([4, 4], half(rows))], [])
    assert len(index) == 1
    assert index.search(rows[1], 1)[0].score == pytest.approx(1.0, abs=0.1)


def test_removed_vectors_are_not_found_and_unknown_ids_to_remove_are_nothing(path: Path) -> None:
    rows = unit(50)
    index = filled(path, 50)
    index.apply(G2, [], [3, 999])
    assert len(index) == 49
    assert 3 not in ids_of(index, rows[3], 50)


def test_an_id_that_is_removed_and_added_stays(path: Path) -> None:
    rows = unit(50)
    index = filled(path, 50)
    index.apply(G2, [([3], half(rows[3:4]))], [3])
    assert ids_of(index, rows[3], 1) == [3]


def test_applying_the_same_change_twice_changes_nothing(path: Path) -> None:
    rows = unit(60)
    index = filled(path, 50)
    for _ in range(2):
        index.apply(G2, [(range(50, 60), half(rows[50:]))], [1, 2])
        assert len(index) == 58
        assert index.stamp() == G2


# -- filters ----------------------------------------------------------------------------------------------


def test_only_allowed_ids_are_found_best_first(path: Path) -> None:
    rows = unit(200)
    index = filled(path, 200)
    allowed = np.array([5, 50, 150, 5], np.uint64)
    expected = sorted([5, 50, 150], key=lambda i: -float(rows[i] @ rows[60]))
    assert ids_of(index, rows[60], 10, ids=allowed) == expected


def test_unknown_allowed_ids_are_ignored(path: Path) -> None:
    rows = unit(20)
    index = filled(path, 20)
    assert ids_of(index, rows[3], 10, ids=np.array([3, 4000, 2**63 - 1], np.uint64)) == [3]
    assert ids_of(index, rows[3], 10, ids=np.array([4000], np.uint64)) == []
    assert ids_of(index, rows[3], 10, ids=np.array([], np.uint64)) == []


@settings(max_examples=40, deadline=None)
@given(
    present=st.sets(st.integers(0, 60), max_size=40),
    allowed=st.lists(st.integers(0, 60), max_size=80) | st.none(),
    limit=st.integers(1, 70),
)
def test_a_search_returns_as_many_as_there_are_to_return(
    tmp_path_factory: pytest.TempPathFactory, present: set[int], allowed: list[int] | None, limit: int
) -> None:
    index = TurbovecIndex(tmp_path_factory.mktemp("d") / "dense.tvim", DIMENSIONS)
    ids = sorted(present)
    index.apply(G1, [(ids, half(unit(61)[ids]))], [])
    query = unit(1, seed=3)[0]
    hits = index.search(query, limit, ids=None if allowed is None else np.array(allowed, np.uint64))
    possible = present if allowed is None else present & set(allowed)
    assert len({hit.id for hit in hits}) == len(hits) == min(limit, len(possible))
    assert {hit.id for hit in hits} <= possible
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


@settings(max_examples=20, deadline=None)
@given(kept=st.floats(0.3, 1.0), limit=st.integers(1, 40), seed=st.integers(0, 99))
def test_a_filter_of_much_finds_the_same_whichever_way_it_is_applied(
    tmp_path_factory: pytest.TempPathFactory, kept: float, limit: int, seed: int
) -> None:
    random = np.random.default_rng(seed)
    allowed = random.permutation(np.flatnonzero(random.random(2500) < kept)).astype(np.uint64)
    # Among the allowed ones are some that the index does not hold.
    index = TurbovecIndex(tmp_path_factory.mktemp("d") / "dense.tvim", DIMENSIONS)
    index.apply(G1, [(range(2000), half(unit(2000)))], [])
    query = unit(1, seed=seed)[0]
    found: list[list[tuple[int, float]]] = []
    for ids_per_candidate in (0, 10**9):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(turbovec_index, "IDS_PER_CANDIDATE", ids_per_candidate)
            found.append([(hit.id, hit.score) for hit in index.search(query, limit, ids=allowed)])
    assert found[0] == found[1]
    assert len(found[0]) == limit


# -- bad input --------------------------------------------------------------------------------------------


def test_bad_vectors_are_typed_errors_and_leave_the_index_as_it_is_on_disk(path: Path) -> None:
    index = filled(path, 10)
    index.save()
    nan = np.full((1, DIMENSIONS), np.nan, np.float16)
    cases = [
        ([([1], half(unit(1, 8)))], EmbedDimensionError),
        ([([1, 2], half(unit(1)))], EmbedCountError),
        ([([50], half(unit(1))), ([1], nan)], InputError),
        ([([2**63], half(unit(1)))], InputError),
    ]
    for add, error in cases:
        with pytest.raises(error):
            index.apply(G2, add, [0])
        assert index.stamp() == G1
        assert len(index) == 10
    with pytest.raises(EmbedDimensionError):
        index.search(unit(1, 8)[0], 3)
    with pytest.raises(InputError):
        index.search(nan[0].astype(np.float32), 3)


def test_a_failing_source_of_batches_leaves_what_is_on_disk(path: Path) -> None:
    index = filled(path, 10)
    index.save()

    def broken() -> object:
        yield [90], half(unit(1))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index.apply(G2, broken(), [0, 1])
    assert index.stamp() == G1
    assert sorted(ids_of(index, unit(1)[0], 20)) == list(range(10))


# -- saving and other processes ---------------------------------------------------------------------------


def test_what_was_saved_is_there_in_another_process(path: Path) -> None:
    rows = unit(300)
    index = filled(path, 300)
    index.save()
    other = TurbovecIndex(path, DIMENSIONS)
    assert other.stamp() == G1
    assert len(other) == 300
    assert other.search(rows[5], 20) == index.search(rows[5], 20)


def test_search_without_a_call_of_stamp_reads_the_disk(path: Path) -> None:
    filled(path, 30).save()
    assert len(TurbovecIndex(path, DIMENSIONS).search(unit(1)[0], 30)) == 30
    assert len(TurbovecIndex(path, DIMENSIONS)) == 30


def test_what_was_not_saved_is_not_there(path: Path) -> None:
    index = filled(path, 30)
    index.save()
    index.apply(G2, [], range(30))
    assert TurbovecIndex(path, DIMENSIONS).stamp() == G1
    index.save()
    assert TurbovecIndex(path, DIMENSIONS).stamp() == G2


def test_a_reader_sees_each_save_of_a_writer(path: Path) -> None:
    rows = unit(40)
    writer, reader = filled(path, 10), TurbovecIndex(path, DIMENSIONS)
    assert reader.stamp() is None
    for generation in range(1, 5):
        if generation > 1:
            at = generation * 10
            writer.apply(Stamp("corpus", generation), [(range(at - 10, at), half(rows[at - 10 : at]))], [])
        writer.save()
        assert reader.stamp() == Stamp("corpus", generation)
        assert len(reader) == generation * 10


def test_a_reader_may_apply_in_memory_and_takes_the_disk_over_when_that_is_ahead(path: Path) -> None:
    writer, reader = filled(path, 10), TurbovecIndex(path, DIMENSIONS)
    writer.save()
    reader.apply(G2, [([50], half(unit(1, seed=2)))], [])
    assert (reader.stamp(), len(reader)) == (G2, 11)
    writer.apply(G2, [([50], half(unit(1, seed=2)))], [])
    writer.save()
    assert (reader.stamp(), len(reader)) == (G2, 11)
    writer.apply(G3, [], [50])
    writer.save()
    assert (reader.stamp(), len(reader)) == (G3, 10)


def test_a_corpus_made_anew_under_the_same_name_is_taken_over(path: Path) -> None:
    reader = filled(path, 10, Stamp("old", 9))
    reader.save()
    path.unlink()
    writer = filled(path, 3, Stamp("new", 1))
    writer.save()
    assert (reader.stamp(), len(reader)) == (Stamp("new", 1), 3)


def test_a_second_writer_goes_on_where_the_first_stopped_and_the_first_after_it(path: Path) -> None:
    first, second = filled(path, 10), TurbovecIndex(path, DIMENSIONS)
    first.save()
    assert second.stamp() == G1
    second.apply(G2, [([70], half(unit(1)))], [])
    second.save()
    assert first.stamp() == G2
    first.apply(G3, [([71], half(unit(1)))], [])
    first.save()
    assert (second.stamp(), len(second)) == (G3, 12)


def test_a_writer_that_never_looked_at_the_disk_replaces_it_whole(path: Path) -> None:
    stale = filled(path, 10)
    stale.save()
    other = TurbovecIndex(path, DIMENSIONS)
    other.apply(G2, [([70], half(unit(1)))], [])
    other.save()
    stale.apply(G3, [], [0])
    stale.save()
    assert (other.stamp(), len(other)) == (G3, 9)


def test_after_clear_the_index_is_filled_anew_and_replaces_the_file(path: Path) -> None:
    index = filled(path, 30)
    index.save()
    index.clear()
    assert (index.stamp(), len(index)) == (None, 0)
    index.save()
    assert TurbovecIndex(path, DIMENSIONS).stamp() == G1
    index.apply(G3, [([1], half(unit(1)))], [])
    index.save()
    other = TurbovecIndex(path, DIMENSIONS)
    assert (other.stamp(), len(other)) == (G3, 1)


def test_saving_twice_writes_once(path: Path) -> None:
    index = filled(path, 30)
    index.save()
    before = path.stat().st_mtime_ns, path.with_suffix(".json").stat().st_mtime_ns
    index.save()
    assert (path.stat().st_mtime_ns, path.with_suffix(".json").stat().st_mtime_ns) == before


def test_what_killed_writers_left_half_written_is_removed(path: Path) -> None:
    for name in ("dense.tvim.tmp.4711.0.73f2e67b", "dense.json.4711.tmp"):
        path.with_name(name).write_bytes(b"half")
    filled(path, 3).save()
    assert sorted(file.name for file in path.parent.iterdir()) == ["dense.json", "dense.tvim"]


def test_a_save_that_the_disk_refuses_is_a_typed_error(tmp_path: Path) -> None:
    index = filled(tmp_path / "gone" / "dense.tvim", 3)
    with pytest.raises(CorpusError, match="cannot be saved"):
        index.save()
    assert len(index) == 3


# -- threads ----------------------------------------------------------------------------------------------


def test_a_search_sees_a_change_whole_or_not_at_all(path: Path) -> None:
    rows = unit(400)
    index = filled(path, 200)
    old, new = set(range(200)), set(range(200, 400))
    seen: list[set[int]] = []
    stop = threading.Event()

    def search() -> None:
        while not stop.is_set():
            seen.append(set(ids_of(index, rows[0], 400)))

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for generation in range(2, 30):
        add, remove = (new, old) if generation % 2 == 0 else (old, new)
        batches = [([i], half(rows[i : i + 1])) for i in add]
        index.apply(Stamp("corpus", generation), batches, remove)
    stop.set()
    for thread in threads:
        thread.join()
    assert seen
    assert all(found in (old, new) for found in seen)
