"""Files that are not what was written are noticed, and never crash a reader."""

from __future__ import annotations

import json
import os
import random
import shutil
from typing import TYPE_CHECKING

import pytest
import tantivy

from tamis.errors import CorpusError
from tamis.lexical import TantivyIndex, reading, schema
from tamis.types import Stamp
from tests.lexical.documents import FIRST, document, fill, found

if TYPE_CHECKING:
    from pathlib import Path

BODIES = [f"alpha {n} " + "beta gamma " * (n % 5) for n in range(60)]


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of two segments, one with deletions."""
    folder = tmp_path_factory.mktemp("pristine")
    index = fill(TantivyIndex(folder), BODIES)
    index.apply(Stamp("corpus", 2), [document(100, "alpha")], [1, 2])
    return folder


@pytest.fixture
def copy(pristine: Path, folder: Path) -> Path:
    """A copy with its times of modification."""
    shutil.copytree(pristine, folder)
    return folder


def files(folder: Path) -> list[Path]:
    """The files that make the index; the locks say nothing."""
    return sorted(path for path in folder.iterdir() if path.suffix != ".lock")


def assert_unusable_then_rebuilt(folder: Path) -> None:
    index = TantivyIndex(folder)
    assert index.stamp() is None
    with pytest.raises(CorpusError):
        found(index, "alpha")
    if (folder / "meta.json").exists():
        with pytest.raises(CorpusError, match="cannot be read"):
            index.apply(FIRST, [], [])
    index.clear()
    fill(index, ["alpha"])
    assert index.stamp() == FIRST
    assert found(index, "alpha") == [1]


def test_a_copy_is_as_good_as_the_original(pristine: Path, folder: Path) -> None:
    folder.mkdir()
    for path in sorted(pristine.iterdir(), reverse=True):  # meta.json is not the last
        shutil.copyfile(path, folder / path.name)
    assert TantivyIndex(folder).stamp() == Stamp("corpus", 2)


def test_every_file_of_the_index_is_needed(copy: Path, pristine: Path) -> None:
    for path in files(copy):
        path.unlink()
        # The engine can do without its list of files, which only names what it may delete.
        assert TantivyIndex(copy).stamp() is None or path.name == ".managed.json", path.name
        shutil.copy2(pristine / path.name, path)


@pytest.mark.parametrize("seed", range(6))
def test_truncated_files_are_noticed(copy: Path, pristine: Path, seed: int) -> None:
    draw = random.Random(seed)
    for path in files(copy):
        size = path.stat().st_size - (path.suffix == ".json")  # which end with a line feed that nobody needs
        os.truncate(path, draw.choice([0, 1, size - 1, draw.randrange(size)]))
        assert TantivyIndex(copy).stamp() is None, path.name
        path.unlink()
        shutil.copy2(pristine / path.name, path)


@pytest.mark.parametrize("seed", range(12))
def test_overwritten_files_are_noticed(copy: Path, pristine: Path, seed: int) -> None:
    draw = random.Random(seed)
    for path in files(copy):
        content = bytearray(path.read_bytes())
        at = draw.randrange(len(content))
        garbage = draw.randbytes(draw.choice([1, 2, 16, 4096]))[: len(content) - at]
        changed = content[:at] + garbage + content[at + len(garbage) :]
        if changed == content:
            continue
        path.write_bytes(changed)
        index = TantivyIndex(copy)
        if path.name in ("meta.json", ".managed.json"):
            index.stamp()  # these have no checksum; what still reads as an index is one
        else:
            assert index.stamp() is None, path.name
        path.unlink()
        shutil.copy2(pristine / path.name, path)


@pytest.mark.parametrize(
    "content", [b"", b"\0" * 100, b"{}", b"[]", b"null", b'{"segments": [1]}', b"\xff\xfe"]
)
def test_garbage_for_the_list_of_segments_is_no_index(copy: Path, content: bytes) -> None:
    (copy / "meta.json").write_bytes(content)
    assert_unusable_then_rebuilt(copy)


def test_a_damaged_index_is_cleared_and_filled_again(copy: Path) -> None:
    largest = max(files(copy), key=lambda path: path.stat().st_size)
    os.truncate(largest, 10)
    assert_unusable_then_rebuilt(copy)


def test_what_was_open_is_read_on_until_the_next_look(copy: Path) -> None:
    index = TantivyIndex(copy)
    before = found(index, "alpha", 100)
    (copy / "meta.json").unlink()
    assert found(index, "alpha", 100) == before
    assert index.stamp() is None
    with pytest.raises(CorpusError):
        found(index, "alpha")


def test_a_lost_folder_is_no_index(copy: Path) -> None:
    index = TantivyIndex(copy)
    assert index.stamp() is not None
    shutil.rmtree(copy)
    assert index.stamp() is None
    fill(index, ["alpha"])
    assert index.stamp() == FIRST


def test_a_file_in_place_of_the_folder_is_no_index(folder: Path) -> None:
    folder.write_text("not a folder")
    assert TantivyIndex(folder).stamp() is None


def test_an_index_of_another_program_is_no_index(folder: Path) -> None:
    folder.mkdir()
    foreign = tantivy.SchemaBuilder()
    foreign.add_text_field("title", stored=True)
    index = tantivy.Index(foreign.build(), str(folder))
    writer = index.writer(15_000_000, 1)
    writer.add_document(tantivy.Document(title="alpha"))
    writer.commit()
    writer.wait_merging_threads()
    assert_unusable_then_rebuilt(folder)


def test_an_index_of_another_format_is_no_index(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as newer:
        for module in (schema, reading):
            newer.setattr(module, "MARKER", "marker999")
        fill(TantivyIndex(folder), ["alpha"])
        assert TantivyIndex(folder).stamp() == FIRST
    assert_unusable_then_rebuilt(folder)


def test_an_index_of_another_language_or_stemmer_is_no_index(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(TantivyIndex(folder), ["alpha"])
    assert TantivyIndex(folder, language="german").stamp() is None
    monkeypatch.setattr(schema, "version", lambda: "99.0")
    assert TantivyIndex(folder).stamp() is None


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b"no json", json.dumps({"analysis": 1}).encode()])
def test_a_marker_that_makes_no_sense_is_no_stamp(folder: Path, content: bytes) -> None:
    folder.mkdir()
    writer = tantivy.Index(schema.make(), str(folder)).writer(15_000_000, 1)
    marker = tantivy.Document()
    marker.add_unsigned(schema.MARKER, 1)
    marker.add_bytes("stamp", content)
    writer.add_document(marker)
    writer.commit()
    writer.wait_merging_threads()
    assert_unusable_then_rebuilt(folder)


def test_documents_without_a_marker_are_no_index(folder: Path) -> None:
    folder.mkdir()
    writer = tantivy.Index(schema.make(), str(folder)).writer(15_000_000, 1)
    document = tantivy.Document()
    document.add_text("body", "alpha")
    writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    assert_unusable_then_rebuilt(folder)
