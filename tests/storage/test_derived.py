"""DESIGN law 2: whatever state a derived index is in, catching up leaves it as if built from the truth."""

from __future__ import annotations

import shutil
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tamis.storage import Derived, Truth
from tamis.storage.vector_rows import VectorRows
from tamis.types import Fingerprint, LexicalDocument, Scored, Settings, Stamp
from tests.storage.filling import file_of

if TYPE_CHECKING:
    from collections.abc import Iterable

MODEL = Fingerprint("fake", "fake", "1", 4, "mean")


class SetIndex:
    """Both derived indexes' port, as a set of ids that can be copied and put back."""

    def __init__(self) -> None:
        self.at: Stamp | None = None
        self.ids: set[int] = set()

    def stamp(self) -> Stamp | None:
        return self.at

    def clear(self) -> None:
        self.at, self.ids = None, set()

    def apply(self, stamp: Stamp, add: Iterable[Any], remove: Iterable[int]) -> None:
        gone = set(remove)
        new = set[int]()
        for item in add:
            new |= {item.id} if isinstance(item, LexicalDocument) else set(item[0])
        self.ids = (self.ids - gone) | new
        self.at = stamp

    def save(self) -> None: ...

    def __len__(self) -> int:
        return len(self.ids)

    def search(self, *_: Any, **__: Any) -> list[Scored]:
        return []

    def explain(self, *_: Any, **__: Any) -> list[dict[str, float]]:
        return []


paths = st.sampled_from(["/n/a", "/n/b", "/n/c"])
texts = st.lists(st.sampled_from(["x", "y", "z", "w"]), max_size=3)
puts = st.tuples(st.just("put"), paths, texts)
steps = st.one_of(
    puts,
    puts,
    st.tuples(st.just("drop"), paths),
    st.tuples(st.just("embed")),
    st.tuples(st.just("catch up")),
    st.tuples(st.just("lose"), st.sampled_from(["lexical", "dense"])),
    st.tuples(st.just("go back"), st.sampled_from(["lexical", "dense"])),
    st.tuples(st.just("other corpus"), st.sampled_from(["lexical", "dense"])),
    st.tuples(st.just("rows"), st.sampled_from(["lose", "keep", "go back", "tear"])),
)


def embed_all(truth: Truth, model_id: int) -> None:
    with truth.snapshot() as snapshot:
        pending = snapshot.pending_texts(model_id, 0, 100)
    with truth.write() as write:
        text_ids = [item.text_id for item in pending]
        write.put_vectors(model_id, text_ids, np.repeat(np.float16(text_ids)[:, None], 4, axis=1))


def expected(truth: Truth, model_id: int) -> tuple[set[int], set[int]]:
    """What both indexes must hold, from the truth's tables alone."""
    with truth.snapshot() as snapshot:
        chunks = {chunk.id: chunk.text for row in snapshot.files() for chunk in snapshot.chunks_of(row)}
        lacking = set(snapshot.lacking(model_id, list(chunks.values())))
        return set(chunks), {key for place, key in enumerate(chunks) if place not in lacking}


@settings(max_examples=50, deadline=None)
@given(st.lists(steps, max_size=14))
def test_catching_up_from_any_state_equals_building_anew(todo: list[tuple[Any, ...]]) -> None:
    few = patch.multiple("tamis.storage.derived", NEW_ROWS=2, SPARE_ROWS=2, MOST_BLOCKS=3)
    with tempfile.TemporaryDirectory() as folder, few:
        truth = Truth(Path(folder) / "corpus.db")
        truth.create("n", Settings(paths=("/n",)))
        with truth.write() as write:
            model_id = write.add_model(MODEL)
            write.use_model(model_id, MODEL)
        lexical, dense = SetIndex(), SetIndex()
        rows = Path(folder) / "dense.rows"
        derived = Derived(lexical, lexical, lambda _: dense, lambda: VectorRows(rows))  # type: ignore[arg-type]
        saved: dict[str, tuple[Stamp | None, set[int]]] = {"lexical": (None, set()), "dense": (None, set())}
        for step in todo:
            if step[0] == "rows":
                change_rows(rows, step[1])
            else:
                run(step, truth, model_id, derived, {"lexical": lexical, "dense": dense}, saved)
            vectors_are_the_truths(truth, derived, model_id)
        with truth.snapshot() as snapshot:
            derived.catch_up(snapshot)
        assert (lexical.ids, dense.ids) == expected(truth, model_id)
        vectors_are_the_truths(truth, derived, model_id)
        truth.close()


def vectors_are_the_truths(truth: Truth, derived: Derived, model_id: int) -> None:
    """Whatever became of the rows."""
    chunks, embedded = expected(truth, model_id)
    with truth.snapshot() as snapshot:
        answers = [source(list(chunks)) for source in (partial(derived.vectors, snapshot), snapshot.vectors)]
    found, stored = (
        sorted((key, *row.tolist()) for key, row in zip(ids, rows, strict=True)) for ids, rows in answers
    )
    assert found == stored
    assert {key for key, *_ in found} == embedded


class SlowWrite(SetIndex):
    """An index whose change takes until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.go = threading.Event(), threading.Event()

    def apply(self, stamp: Stamp, add: Iterable[Any], remove: Iterable[int]) -> None:
        self.begun.set()
        assert self.go.wait(30)
        super().apply(stamp, add, remove)


def test_a_search_does_not_wait_while_a_change_is_being_written(truth: Truth, tmp_path: Path) -> None:
    with truth.write() as write:
        write.put_file(file_of("/n/a", "x"))
    reading, writing = SetIndex(), SlowWrite()
    with truth.snapshot() as snapshot:
        reading.at = Stamp(snapshot.manifest.corpus_id, 0)
        derived = Derived(reading, writing, lambda _: SetIndex(), lambda: VectorRows(tmp_path / "dense.rows"))  # type: ignore[arg-type, return-value]
        with ThreadPoolExecutor(2) as pool:
            writer = pool.submit(derived.catch_up, snapshot)
            try:
                assert writing.begun.wait(30)
                pool.submit(derived.look).result(timeout=30)
                assert derived.lexical_generation(snapshot.manifest) == 0
                assert not writer.done()
            finally:
                writing.go.set()
            writer.result(timeout=30)


def run(
    step: tuple[Any, ...],
    truth: Truth,
    model_id: int,
    derived: Derived,
    indexes: dict[str, SetIndex],
    saved: dict[str, tuple[Stamp | None, set[int]]],
) -> None:
    match step:
        case "put", path, passages:
            with truth.write() as write:
                write.purge(caught_up(truth, indexes))
                write.put_file(file_of(path, *passages))
        case "drop", path:
            with truth.write() as write:
                write.purge(caught_up(truth, indexes))
                write.drop_file(path)
        case ("embed",):
            embed_all(truth, model_id)
        case ("catch up",):
            with truth.snapshot() as snapshot:
                derived.catch_up(snapshot)
            for name, index in indexes.items():
                saved[name] = (index.at, set(index.ids))
        case "lose", name:
            indexes[name].clear()
        case "go back", name:
            indexes[name].at, indexes[name].ids = saved[name][0], set(saved[name][1])
        case "other corpus", name:
            indexes[name].at, indexes[name].ids = Stamp("another", 1), {999_999}
        case _:
            raise AssertionError(step)


def change_rows(path: Path, how: str) -> None:
    """Replace the file by a part of it or by what it was when it was last kept, or remove it."""
    kept = path.with_name("kept")
    match how:
        case "keep" if path.exists():
            shutil.copy(path, kept)
        case "go back" if kept.exists():
            path.unlink(missing_ok=True)
            shutil.copy(kept, path)
        case "tear" if path.exists():
            content = path.read_bytes()
            path.unlink()
            path.write_bytes(content[: len(content) * 2 // 3])
        case "lose":
            path.unlink(missing_ok=True)
        case _:
            pass


def caught_up(truth: Truth, indexes: dict[str, SetIndex]) -> int:
    """How far a writer may purge: what both indexes have seen; it is the one who knows, and here they lie about it never."""
    with truth.snapshot() as snapshot:
        corpus_id = snapshot.manifest.corpus_id
    known = [
        index.at.generation if index.at is not None and index.at.corpus_id.startswith(corpus_id) else 0
        for index in indexes.values()
    ]
    return min(known)


def test_the_rows_of_what_is_gone_do_not_pile_up(truth: Truth, tmp_path: Path) -> None:
    """A file of two passages changed time and again: each time two more rows, until they are written anew."""
    with truth.write() as write:
        model_id = write.add_model(MODEL)
        write.use_model(model_id, MODEL)
    rows = VectorRows(tmp_path / "dense.rows")
    lexical, dense = SetIndex(), SetIndex()
    derived = Derived(lexical, lexical, lambda _: dense, lambda: rows)  # type: ignore[arg-type]
    lengths: list[int] = []
    with patch.multiple("tamis.storage.derived", NEW_ROWS=1, NEW_SHARE=0, SPARE_ROWS=1):
        for number in range(6):
            with truth.write() as write:
                write.put_file(file_of("/n/a", f"x{number}", f"y{number}"))
            embed_all(truth, model_id)
            with truth.snapshot() as snapshot:
                derived.catch_up(snapshot)
            lengths.append(len(rows))
    assert lengths == [2, 4, 6, 2, 4, 6]


def test_the_rows_of_another_model_give_way_at_once(truth: Truth, tmp_path: Path) -> None:
    """However few the new ones are: nobody reads the old."""
    other = replace(MODEL, revision="2")
    with truth.write() as write:
        models = [write.add_model(model) for model in (MODEL, other)]
        write.use_model(models[0], MODEL)
        write.put_file(file_of("/n/a", "x", "y"))
    rows = VectorRows(tmp_path / "dense.rows")
    lexical, dense = SetIndex(), SetIndex()
    derived = Derived(lexical, lexical, lambda _: dense, lambda: rows)  # type: ignore[arg-type]
    for model_id in models:
        embed_all(truth, model_id)
    with patch("tamis.storage.derived.NEW_ROWS", 1), truth.snapshot() as snapshot:
        derived.catch_up(snapshot)
        assert rows.generation(f"{snapshot.manifest.corpus_id}/{models[0]}") == snapshot.at
    with truth.write() as write:
        write.use_model(models[1], other)
    with truth.snapshot() as snapshot:
        derived.catch_up(snapshot)
        assert rows.generation(f"{snapshot.manifest.corpus_id}/{models[1]}") == snapshot.at
    assert len(rows) == 2
