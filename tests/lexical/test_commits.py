"""What a change does to the index: all of it at once, however often it is repeated."""

from __future__ import annotations

import random
import threading
from typing import TYPE_CHECKING

import pytest

from tamis.errors import ConfigError, CorpusError
from tamis.lexical import BM25, FIELD_WEIGHTS, TantivyIndex
from tamis.types import Bm25, Stamp
from tests.lexical.documents import FIRST, document, fill, found

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tamis.types import LexicalDocument

SECOND = Stamp("corpus", 2)


def test_the_stamp_is_that_of_the_last_change(index: TantivyIndex, folder: Path) -> None:
    assert index.stamp() is None
    fill(index, ["alpha"])
    assert index.stamp() == TantivyIndex(folder).stamp() == FIRST
    index.apply(SECOND, [], [])
    assert index.stamp() == TantivyIndex(folder).stamp() == SECOND


def test_an_index_can_be_stamped_without_documents(index: TantivyIndex) -> None:
    index.apply(FIRST, [], [])
    assert index.stamp() == FIRST
    assert found(index, "anything") == []


def test_documents_are_added_replaced_and_removed(index: TantivyIndex) -> None:
    fill(index, ["alpha one", "alpha two", "alpha three"])
    index.apply(SECOND, [document(2, "beta"), document(4, "alpha four")], [1, 99])
    assert sorted(found(index, "alpha")) == [3, 4]
    assert found(index, "beta") == [2]


def test_repeating_a_change_changes_nothing(index: TantivyIndex) -> None:
    fill(index, ["alpha", "alpha beta", "gamma"])
    for _ in range(3):
        index.apply(SECOND, [document(2, "alpha"), document(4, "alpha delta")], [3])
        assert sorted(found(index, "alpha")) == [1, 2, 4]
        assert found(index, "gamma") == []
        assert index.stamp() == SECOND


def test_of_documents_with_one_id_the_last_counts(index: TantivyIndex) -> None:
    index.apply(FIRST, [document(1, "alpha"), document(1, "beta"), document(1, "gamma")], [])
    assert [found(index, word) for word in ("alpha", "beta", "gamma")] == [[], [], [1]]


def test_many_small_changes_leave_few_segments_and_every_document(index: TantivyIndex, folder: Path) -> None:
    for generation in range(1, 30):
        new = [document(generation * 10 + n, "alpha") for n in range(3)]
        index.apply(Stamp("corpus", generation), new, [(generation - 1) * 10])
    assert len(found(index, "alpha", 100)) == 29 * 3 - 28
    assert index.stamp() == Stamp("corpus", 29)
    assert len(list(folder.glob("*.term"))) <= 16


def test_a_change_that_fails_leaves_everything_as_it_was(index: TantivyIndex) -> None:
    def broken() -> Iterator[LexicalDocument]:
        yield document(7, "alpha")
        raise RuntimeError("the source is gone")

    fill(index, ["alpha"])
    with pytest.raises(RuntimeError, match="the source is gone") as failure:
        index.apply(SECOND, broken(), [1])
    assert index.stamp() == FIRST
    assert found(index, "alpha") == [1]
    index.apply(
        SECOND, [document(2, "alpha")], []
    )  # and the next one can go on, though the failure is still held
    assert found(index, "alpha") == [1, 2]
    del failure


def test_clearing_starts_anew(index: TantivyIndex) -> None:
    fill(index, ["alpha"])
    index.clear()
    assert index.stamp() is None
    assert found(index, "alpha") == []
    fill(index, ["beta"])
    assert index.stamp() == FIRST
    assert found(index, "beta") == [1]


def test_clearing_leaves_foreign_files(index: TantivyIndex, folder: Path) -> None:
    fill(index, ["alpha"])
    (folder / "notes").mkdir()
    index.clear()
    assert (folder / "notes").is_dir()


def test_searching_where_there_is_no_index_says_so(index: TantivyIndex) -> None:
    with pytest.raises(CorpusError, match="no usable index"):
        found(index, "alpha")
    with pytest.raises(CorpusError, match="no usable index"):
        index.explain("alpha", [1], weights=FIELD_WEIGHTS, bm25=BM25)


def test_an_unknown_language_is_refused(folder: Path) -> None:
    with pytest.raises(ConfigError, match="klingon") as failure:
        TantivyIndex(folder, language="klingon")
    assert "english" in failure.value.hint


def test_equal_scores_are_in_the_order_of_ids_at_any_limit(index: TantivyIndex) -> None:
    ids = list(range(200))
    random.Random(5).shuffle(ids)
    for generation, part in enumerate((ids[:90], ids[90:120], ids[120:])):
        index.apply(Stamp("corpus", generation), [document(key, "alpha beta") for key in part], [])
    for limit in (1, 2, 50, 199, 200, 1000):
        assert found(index, "alpha", limit) == list(range(min(limit, 200)))


def test_no_limit_below_one_finds_anything(index: TantivyIndex) -> None:
    fill(index, ["alpha"])
    assert found(index, "alpha", 0) == found(index, "alpha", -1) == []


def test_a_filter_is_filled_up_to_the_limit(index: TantivyIndex) -> None:
    bodies = [document(key, "alpha " * (1 + key % 3), file_id=key % 1000) for key in range(3000)]
    index.apply(FIRST, bodies, [])
    everywhere = found(index, "alpha", 3000)
    for files in ([], [7], list(range(0, 1000, 50)), list(range(100, 900)), list(range(990, 20_000)), [5000]):
        allowed = [key for key in everywhere if key % 1000 in set(files)]
        for limit in (1, 10, 2500):
            assert found(index, "alpha", limit, files) == allowed[:limit]


def test_a_filter_holds_with_other_parameters(index: TantivyIndex) -> None:
    fill(index, ["alpha"] * 5)
    hits = index.search("alpha", 9, weights=FIELD_WEIGHTS, bm25=Bm25(0.5, 0.5), file_ids=[2, 4])
    assert [hit.id for hit in hits] == [2, 4]


def test_threads_search_while_another_writes(index: TantivyIndex) -> None:
    fill(index, ["alpha"] * 20)
    wrong: list[object] = []
    stop = threading.Event()

    def search() -> None:
        while not stop.is_set():
            try:
                stamp = index.stamp()
                if stamp is None or len(found(index, "alpha", 100)) < 20:
                    wrong.append(stamp)
            except Exception as error:
                wrong.append(error)

    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    for generation in range(2, 22):
        index.apply(Stamp("corpus", generation), [document(generation + 100, "alpha")], [])
    stop.set()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert len(found(index, "alpha", 100)) == 40
