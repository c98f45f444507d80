"""Reading the right file, whole, and no other."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tamis.errors import ChangedError, SourceError, SymlinkError, TooLargeError, UnreadableError
from tamis.readers import read, walk
from tamis.readers.opening import read_bytes
from tamis.types import FileStat
from tests.readers.trees import grow, real

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def during(first_reads: int, change: Callable[[], None]) -> Callable[[int, int], bytes]:
    """``os.read`` that makes a change to the disk after each of the first so many blocks."""
    left = [first_reads]

    def read_block(file: int, size: int) -> bytes:
        block = os.read(file, size)
        if left[0]:
            left[0] -= 1
            change()
        return block

    return read_block


def test_the_bytes_come_with_the_stat(tmp_path: Path) -> None:
    grow(tmp_path, "a.md", text="content")
    os.utime(tmp_path / "a.md", ns=(5, 1_234_567_891))
    assert read_bytes(real(tmp_path / "a.md"), max_bytes=100) == (b"content", FileStat(7, 1_234_567_891))


def test_an_empty_file_has_no_bytes(tmp_path: Path) -> None:
    grow(tmp_path, "a.md", text="")
    assert read_bytes(real(tmp_path / "a.md"), max_bytes=100)[0] == b""


def test_a_file_of_several_blocks_is_whole(tmp_path: Path) -> None:
    content = os.urandom(3_000_001)
    (tmp_path / "a.bin").write_bytes(content)
    assert read_bytes(real(tmp_path / "a.bin"), max_bytes=10_000_000)[0] == content


def test_a_file_that_grows_while_it_is_read_is_read_again(tmp_path: Path) -> None:
    file = grow(tmp_path, "a.md", text="one") / "a.md"

    def append() -> None:
        with file.open("a") as writer:
            writer.write(" two")

    data, found = read_bytes(real(file), max_bytes=100, read_block=during(1, append))
    assert (data, found.size) == (b"one two", 7)


def test_a_file_that_is_rewritten_at_the_same_size_while_it_is_read_is_read_again(tmp_path: Path) -> None:
    file = grow(tmp_path, "a.md", text="old") / "a.md"

    def rewrite() -> None:
        file.write_text("new")
        os.utime(file, ns=(1, 1))

    assert read_bytes(real(file), max_bytes=100, read_block=during(1, rewrite))[0] == b"new"


def test_a_file_that_never_rests_fails(tmp_path: Path) -> None:
    file = grow(tmp_path, "a.md", text="x") / "a.md"

    def append() -> None:
        with file.open("a") as writer:
            writer.write("x")

    with pytest.raises(ChangedError) as caught:
        read_bytes(real(file), max_bytes=100, read_block=during(1_000, append))
    assert (caught.value.code, caught.value.retryable) == ("SOURCE_CHANGED", True)


def test_a_file_that_shrinks_while_it_is_read_is_read_again(tmp_path: Path) -> None:
    file = grow(tmp_path, "a.md", text="x" * 1000) / "a.md"
    data, _ = read_bytes(real(file), max_bytes=1000, read_block=during(1, lambda: os.truncate(file, 10)))
    assert data == b"x" * 10


def test_a_file_over_the_cap_is_refused_unread(tmp_path: Path) -> None:
    file = grow(tmp_path, "a.md", text="x" * 11) / "a.md"
    with pytest.raises(TooLargeError, match="it has 11 bytes; the limit is 10"):
        read_bytes(real(file), max_bytes=10, read_block=during(1, lambda: pytest.fail("read")))


def test_a_file_that_grew_beyond_the_cap_since_the_walk_is_refused(tmp_path: Path) -> None:
    grow(tmp_path, "a.md", text="x")
    (source,) = walk([str(tmp_path)], allowed_roots=[real(tmp_path)], max_bytes=10)
    grow(tmp_path, "a.md", text="x" * 11)
    with pytest.raises(TooLargeError):
        read(source, max_bytes=10)


def test_a_file_that_changed_since_the_walk_is_read_as_it_is_now(tmp_path: Path) -> None:
    grow(tmp_path, "a.md", text="old")
    (source,) = walk([str(tmp_path)], allowed_roots=[real(tmp_path)])
    grow(tmp_path, "a.md", text="newer")
    document = read(source)
    assert (document.text, document.stat and document.stat.size, source.stat.size) == ("newer", 5, 3)


def test_a_file_swapped_for_a_link_since_the_walk_is_refused(tmp_path: Path) -> None:
    grow(tmp_path, "root/a.md", "secret.md")
    (source,) = walk([str(tmp_path / "root")], allowed_roots=[real(tmp_path / "root")])
    (tmp_path / "root" / "a.md").unlink()
    (tmp_path / "root" / "a.md").symlink_to("../secret.md")
    with pytest.raises(SymlinkError):
        read(source)


def test_a_folder_swapped_for_a_link_since_the_walk_is_refused(tmp_path: Path) -> None:
    grow(tmp_path, "root/sub/deep/a.md", "secret/deep/a.md")
    (source,) = walk([str(tmp_path / "root")], allowed_roots=[real(tmp_path / "root")])
    (tmp_path / "root" / "sub").rename(tmp_path / "root" / "moved")
    (tmp_path / "root" / "sub").symlink_to("../secret")
    with pytest.raises(SymlinkError):
        read(source)


@pytest.mark.timeout(10)
def test_a_file_swapped_for_a_pipe_since_the_walk_is_refused_without_hanging(tmp_path: Path) -> None:
    grow(tmp_path, "a.md")
    (source,) = walk([str(tmp_path)], allowed_roots=[real(tmp_path)])
    (tmp_path / "a.md").unlink()
    os.mkfifo(tmp_path / "a.md")
    with pytest.raises(UnreadableError, match="a named pipe"):
        read(source)


@pytest.mark.parametrize("gone", ["gone.md", "gone/a.md", "file/a.md"])
def test_a_file_that_is_gone_is_said_to_be(tmp_path: Path, gone: str) -> None:
    grow(tmp_path, "file")
    with pytest.raises(SourceError) as caught:
        read_bytes(f"{real(tmp_path)}/{gone}", max_bytes=10)
    assert caught.value.code == "SOURCE_PATH_NOT_FOUND"


def test_a_folder_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="a folder"):
        read_bytes(real(tmp_path), max_bytes=10)


def test_a_file_without_the_permission_fails_with_the_systems_reason(unprivileged: Path) -> None:
    file = grow(unprivileged, "a.md") / "a.md"
    file.chmod(0o000)
    with pytest.raises(UnreadableError, match="Permission denied"):
        read_bytes(real(file), max_bytes=10)


def test_a_folder_need_only_be_passable(unprivileged: Path) -> None:
    if not hasattr(os, "O_PATH"):
        pytest.skip("this system cannot open a folder that it may not list")
    file = grow(unprivileged, "sub/a.md") / "sub" / "a.md"
    file.parent.chmod(0o111)
    try:
        assert read_bytes(real(file), max_bytes=10)[0] == b"x"
    finally:
        file.parent.chmod(0o700)


def test_no_descriptor_is_left_open(tmp_path: Path) -> None:
    grow(tmp_path, "a.md", "b.png", "sub/c.md")
    (tmp_path / "link").symlink_to("a.md")
    listing = "/proc/self/fd" if os.path.isdir("/proc/self/fd") else "/dev/fd"
    before = len(os.listdir(listing))
    for name in ("a.md", "sub/c.md", "link", "gone", "sub"):
        try:
            read_bytes(f"{real(tmp_path)}/{name}", max_bytes=10)
        except SourceError:
            continue
    assert len(os.listdir(listing)) == before
