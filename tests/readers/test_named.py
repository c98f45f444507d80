"""Whether anything can be read of what somebody names."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tamis.errors import NotRegularError, RootError, SourceError, SymlinkError, TooLargeError, UnreadableError
from tamis.readers import require_any
from tests.readers.trees import grow, real

if TYPE_CHECKING:
    from pathlib import Path


def require(folder: Path, *names: str, max_bytes: int = 100) -> None:
    require_any([str(folder / name) for name in names], allowed_roots=[real(folder)], max_bytes=max_bytes)


def test_one_that_can_be_read_is_enough(tmp_path: Path) -> None:
    grow(tmp_path, "a.md", "sub/b.md")
    (tmp_path / "link").symlink_to("a.md")
    require(tmp_path, "a.md")
    require(tmp_path, "sub")
    require(tmp_path, "gone", "link", "a.md")


def test_otherwise_the_first_says_what_is_wrong_with_it(tmp_path: Path) -> None:
    grow(tmp_path, "large.md", text="x" * 101)
    (tmp_path / "link").symlink_to("large.md")
    os.mkfifo(tmp_path / "pipe")
    cases: list[tuple[str, type[SourceError]]] = [
        ("large.md", TooLargeError),
        ("link", SymlinkError),
        ("pipe", NotRegularError),
        ("gone", SourceError),
        ("large.md/below", SourceError),
        ("../outside", RootError),
    ]
    for name, error in cases:
        with pytest.raises(error) as caught:
            require(tmp_path, name, "gone", "link")
        assert type(caught.value) is error
        assert os.path.basename(name) in caught.value.message
        assert caught.value.hint


def test_what_may_not_be_read_is_told_apart_from_what_is_not_there(unprivileged: Path) -> None:
    grow(unprivileged, "a.md", "sub/b.md")
    for name in ("a.md", "sub"):
        (unprivileged / name).chmod(0)
        with pytest.raises(UnreadableError):
            require(unprivileged, name)
        (unprivileged / name).chmod(0o700)
