"""Where named paths lead, and which are refused."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tamis.errors import RootError, SourceError, SymlinkError, UnreadableError
from tamis.readers import is_within, resolve
from tests.readers.trees import grow, real

if TYPE_CHECKING:
    from pathlib import Path


def test_a_path_below_an_allowed_root_is_made_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grow(tmp_path, "sub/a.md")
    monkeypatch.chdir(tmp_path)
    assert resolve("sub/../sub/./a.md", [real(tmp_path)]) == real(tmp_path / "sub" / "a.md")
    assert resolve(".", [real(tmp_path)]) == real(tmp_path)


def test_nothing_needs_to_be_there(tmp_path: Path) -> None:
    assert resolve(str(tmp_path / "gone" / "a.md"), [real(tmp_path)]) == os.path.join(
        real(tmp_path), "gone", "a.md"
    )


def test_links_above_the_allowed_root_are_followed(tmp_path: Path) -> None:
    grow(tmp_path, "data/home/notes/a.md")
    (tmp_path / "link").symlink_to("data")
    allowed = [real(tmp_path / "data" / "home")]
    assert resolve(str(tmp_path / "link" / "home" / "notes" / "a.md"), allowed) == real(
        tmp_path / "data/home/notes/a.md"
    )
    assert resolve(str(tmp_path / "link" / "home"), allowed) == allowed[0]


def test_the_allowed_root_itself_may_be_reached_through_a_link(tmp_path: Path) -> None:
    grow(tmp_path, "data/a.md")
    (tmp_path / "home").symlink_to("data")
    assert resolve(str(tmp_path / "home" / "a.md"), [real(tmp_path / "data")]) == real(
        tmp_path / "data" / "a.md"
    )


@pytest.mark.parametrize(
    "named", ["link", "link/", "link/a.md", "sub/inner/a.md", "outside/b.md", "dangling", "loop/x"]
)
def test_a_link_below_the_allowed_root_is_refused(tmp_path: Path, named: str) -> None:
    grow(tmp_path, "root/data/a.md", "root/sub/", "out/b.md")
    root = tmp_path / "root"
    for name, target in [
        ("link", "data"),
        ("sub/inner", "../data"),
        ("outside", "../out"),
        ("dangling", "gone"),
        ("loop", "loop"),
    ]:
        (root / name).symlink_to(target)
    with pytest.raises(SymlinkError) as caught:
        resolve(f"{root}/{named}", [real(root)])
    assert caught.value.code == "SYMLINK_NOT_ALLOWED"
    assert caught.value.hint


def test_a_link_that_is_named_is_refused_even_where_its_target_is_allowed(tmp_path: Path) -> None:
    grow(tmp_path, "data/a.md")
    (tmp_path / "link").symlink_to("data")
    with pytest.raises(SymlinkError, match="link"):
        resolve(str(tmp_path / "link"), [real(tmp_path / "data")])


@pytest.mark.parametrize("named", ["out/a.md", "root/../out/a.md", "rootless/a.md", "."])
def test_a_path_outside_every_allowed_root_is_refused(tmp_path: Path, named: str) -> None:
    grow(tmp_path, "out/a.md", "root/a.md", "rootless/a.md", "other/a.md")
    with pytest.raises(RootError, match="outside"):
        resolve(f"{tmp_path}/{named}", [real(tmp_path / "root"), real(tmp_path / "other")])


def test_nothing_is_allowed_without_a_root(tmp_path: Path) -> None:
    with pytest.raises(RootError):
        resolve(str(tmp_path), [])


def test_the_file_systems_root_may_be_allowed() -> None:
    assert resolve("/", ["/"]) == "/"
    assert resolve("//dev/null", ["/"]) == "/dev/null"


@pytest.mark.parametrize("name", ["nul\0name", "escaped-\udcff", "lone-\ud800"])
def test_a_name_that_cannot_be_stored_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        resolve(f"{tmp_path}/{name}", [real(tmp_path)])
    caught.value.message.encode()


def test_every_refusal_is_a_source_error() -> None:
    assert all(issubclass(error, SourceError) for error in (RootError, SymlinkError, UnreadableError))


@pytest.mark.parametrize(
    ("path", "root", "expected"),
    [
        ("/a", "/a", True),
        ("/a/b", "/a", True),
        ("/ab", "/a", False),
        ("/a", "/", True),
        ("/", "/", True),
        ("/", "/a", False),
    ],
)
def test_within_means_at_or_below(path: str, root: str, expected: bool) -> None:
    assert is_within(path, root) is expected
