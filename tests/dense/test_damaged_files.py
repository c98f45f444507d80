"""Law 2 of the design: a dense index that was lost, torn or left behind is never taken for what it is not."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamis.dense import TurbovecIndex
from tamis.types import Stamp

if TYPE_CHECKING:
    from pathlib import Path

DIMENSIONS = 16


def rows(count: int) -> np.ndarray:
    return np.random.default_rng(1).standard_normal((count, DIMENSIONS)).astype(np.float16)


def stamp(generation: int) -> Stamp:
    return Stamp("corpus", generation)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """An index of 100 vectors, saved at generation 1 and, with ten more, at generation 2."""
    path = tmp_path / "dense.tvim"
    index = TurbovecIndex(path, DIMENSIONS)
    index.apply(stamp(1), [(range(100), rows(100))], [])
    index.save()
    index.apply(stamp(2), [(range(100, 110), rows(10))], [])
    index.save()
    return path


def keep(path: Path, name: str) -> None:
    for file in (path, path.with_suffix(".json")):
        shutil.copy2(file, file.with_name(f"{name}-{file.name}"))


def back(path: Path, name: str, *suffixes: str) -> None:
    for suffix in suffixes:
        file = path.with_suffix(suffix)
        os.replace(file.with_name(f"{name}-{file.name}"), file)


def found(path: Path) -> tuple[Stamp | None, int]:
    index = TurbovecIndex(path, DIMENSIONS)
    return index.stamp(), len(index)


def advance(path: Path) -> None:
    index = TurbovecIndex(path, DIMENSIONS)
    assert index.stamp() == stamp(2)
    index.apply(stamp(3), [([500], rows(1))], [0, 1, 2])
    index.save()
    assert found(path) == (stamp(3), 108)


def test_only_the_sidecar_was_written_before_the_crash(path: Path) -> None:
    keep(path, "old")
    advance(path)
    back(path, "old", ".tvim")
    assert found(path) == (stamp(2), 110)


def test_an_older_copy_of_the_file_is_no_index(path: Path) -> None:
    keep(path, "old")
    advance(path)
    index = TurbovecIndex(path, DIMENSIONS)
    index.apply(stamp(4), [], [3])
    index.save()
    back(path, "old", ".tvim")
    assert found(path) == (None, 0)


def test_an_older_copy_of_the_sidecar_is_no_index(path: Path) -> None:
    keep(path, "old")
    advance(path)
    back(path, "old", ".json")
    assert found(path) == (None, 0)


def test_the_pair_from_a_backup_is_an_index_of_its_generation(path: Path) -> None:
    keep(path, "old")
    advance(path)
    back(path, "old", ".json", ".tvim")
    assert found(path) == (stamp(2), 110)


def test_the_file_of_another_corpus_is_no_index(path: Path, tmp_path: Path) -> None:
    other = TurbovecIndex(tmp_path / "other.tvim", DIMENSIONS)
    other.apply(Stamp("other", 2), [(range(110), rows(110))], [])
    other.save()
    os.replace(tmp_path / "other.tvim", path)
    assert found(path) == (None, 0)


def test_the_index_of_other_dimensions_is_no_index(path: Path) -> None:
    assert TurbovecIndex(path, DIMENSIONS - 1).stamp() is None
    assert TurbovecIndex(path, DIMENSIONS * 2).stamp() is None


@pytest.mark.parametrize("suffix", [".tvim", ".json"])
@pytest.mark.parametrize("damage", ["removed", "emptied", "folder"])
def test_a_file_that_went_is_no_index_and_can_be_rebuilt(path: Path, suffix: str, damage: str) -> None:
    file = path.with_suffix(suffix)
    file.unlink()
    if damage == "emptied":
        file.touch()
    if damage == "folder":
        file.mkdir()
    index = TurbovecIndex(path, DIMENSIONS)
    assert index.stamp() is None
    index.clear()
    index.apply(stamp(3), [(range(5), rows(5))], [])
    assert (index.stamp(), len(index)) == (stamp(3), 5)
    if damage != "folder":
        index.save()
        assert found(path) == (stamp(3), 5)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    path = tmp_path_factory.mktemp("whole") / "dense.tvim"
    index = TurbovecIndex(path, DIMENSIONS)
    for generation in (1, 2):
        index.apply(stamp(generation), [(range(generation * 100), rows(generation * 100))], [])
        index.save()
    return {suffix: path.with_suffix(suffix).read_bytes() for suffix in (".tvim", ".json")}


@settings(max_examples=150, deadline=None)
@given(
    suffix=st.sampled_from([".tvim", ".json"]),
    manner=st.sampled_from(["cut", "overwrite", "replace", "append"]),
    where=st.floats(0, 1),
    junk=st.binary(max_size=300),
)
def test_no_damage_raises_and_what_still_loads_can_be_searched(
    tmp_path_factory: pytest.TempPathFactory,
    whole: dict[str, bytes],
    suffix: str,
    manner: str,
    where: float,
    junk: bytes,
) -> None:
    path = tmp_path_factory.mktemp("damaged") / "dense.tvim"
    for name, content in whole.items():
        path.with_suffix(name).write_bytes(content)
    content = whole[suffix]
    at = int(where * len(content))
    damaged = {
        "cut": content[:at],
        "overwrite": content[:at] + junk + content[at + len(junk) :],
        "replace": junk,
        "append": content + junk,
    }
    path.with_suffix(suffix).write_bytes(damaged[manner])
    index = TurbovecIndex(path, DIMENSIONS)
    assert index.stamp() in {stamp(1), stamp(2), None}
    index.search(rows(1)[0].astype(np.float32), 10)
    index.apply(stamp(3), [([999], rows(1))], [1])
    index.save()
    assert TurbovecIndex(path, DIMENSIONS).stamp() == stamp(3)


@pytest.mark.parametrize(
    "content",
    [
        "null",
        "[]",
        "[" * 5000,
        '{"format": 2, "dimensions": 16, "stamps": []}',
        '{"format": 1, "dimensions": 1e400, "stamps": []}',
        '{"format": 1, "dimensions": 16, "stamps": [{"corpus_id": "corpus"}]}',
        '{"format": 1, "dimensions": 16, "stamps": 3}',
    ],
)
def test_a_sidecar_of_another_make_is_no_index(path: Path, content: str) -> None:
    path.with_suffix(".json").write_text(content)
    assert found(path) == (None, 0)


WRITER = """
import sys
import numpy as np
from pathlib import Path
from tamis.dense import TurbovecIndex
from tamis.types import Stamp

index = TurbovecIndex(Path(sys.argv[1]), 16)
rows = np.random.default_rng(1).standard_normal((20, 16)).astype(np.float16)
print("ready", flush=True)
for generation in range(1, 100_000):
    ids = range(generation * 20, generation * 20 + 20)
    index.apply(Stamp("corpus", generation), [(ids, rows)], [generation * 20 - 1] if generation > 1 else [])
    index.save()
    print(generation, flush=True)
"""


def test_a_writer_killed_at_any_moment_leaves_the_last_save_or_the_one_in_flight(tmp_path: Path) -> None:
    dice = random.Random(4)
    for trial in range(5):
        path = tmp_path / f"{trial}.tvim"
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
        ) as writer:
            assert writer.stdout
            stop = dice.randint(1, 120)
            last = next(int(line) for line in writer.stdout if line.strip() == str(stop))
            writer.kill()
            # What it said between our reading and its end counts as well.
            last = max([last, *(int(line) for line in writer.stdout if line.endswith("\n"))])
        kept, count = found(path)
        assert kept in {stamp(last), stamp(last + 1)}
        # Each generation adds twenty and, from the second on, removes one.
        assert kept is not None
        assert count == kept.generation * 19 + 1
