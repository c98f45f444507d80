"""What a walk takes, leaves out and reports."""

from __future__ import annotations

import os
import socket
import time
from typing import TYPE_CHECKING

import pytest

from tamis.errors import InputError
from tamis.readers import walk
from tests.readers.trees import grow, real, relative, walked

if TYPE_CHECKING:
    from pathlib import Path


def test_files_come_sorted_each_folder_before_those_in_it(tmp_path: Path) -> None:
    grow(tmp_path, "b.md", "a.md", "z/a.md", "c/d/e.md", "c/a.md", "empty/")
    assert walked(tmp_path) == ["a.md", "b.md", "c/a.md", "c/d/e.md", "z/a.md"]


def test_a_source_has_the_files_size_and_time(tmp_path: Path) -> None:
    grow(tmp_path, "a.md", text="seven..")
    os.utime(tmp_path / "a.md", ns=(1, 1_700_000_000_123_456_789))
    (source,) = walk([str(tmp_path)], allowed_roots=[real(tmp_path)])
    assert source.path == real(tmp_path / "a.md")
    assert (source.stat.size, source.stat.mtime_ns) == (7, 1_700_000_000_123_456_789)


def test_every_iteration_walks_anew(tmp_path: Path) -> None:
    grow(tmp_path, "a.md", "b.png")
    (tmp_path / "link.md").symlink_to("a.md")
    found = walk([str(tmp_path), str(tmp_path / "gone")], allowed_roots=[real(tmp_path)])
    for _ in range(2):
        assert len(list(found)) == 1
        assert (len(found.failed), len(found.missing), found.skipped_binary) == (1, 1, 1)
    grow(tmp_path, "c.md")
    assert len(list(found)) == 2


def test_what_is_to_be_left_out_is_passed_over_unless_it_is_named(tmp_path: Path) -> None:
    grow(tmp_path, "a.md", "own/b.md", "own/kept/c.md")
    own, root = real(tmp_path / "own"), real(tmp_path)
    assert relative(walk([root], allowed_roots=[root], left_out=[own]), tmp_path) == ["a.md"]
    named = walk([own], allowed_roots=[root], left_out=[own, f"{own}/kept"])
    assert relative(named, tmp_path) == ["own/b.md"]


# -- hidden files, ignore files, version control ----------------------------------------------------------


def test_hidden_files_and_version_control_are_left_out(tmp_path: Path) -> None:
    grow(tmp_path, "a.md", ".hidden.md", ".config/a.md", ".git/HEAD.md", "CVS/a.md", "_darcs/a.md")
    assert walked(tmp_path) == ["a.md"]


def test_a_hidden_file_or_folder_that_is_named_is_taken(tmp_path: Path) -> None:
    grow(tmp_path, ".hidden.md", ".config/a.md")
    named = [str(tmp_path / ".hidden.md"), str(tmp_path / ".config")]
    assert relative(walk(named, allowed_roots=[real(tmp_path)]), tmp_path) == [".hidden.md", ".config/a.md"]


def test_gitignore_rules_nest_and_negate(tmp_path: Path) -> None:
    grow(
        tmp_path,
        "a.log",
        "keep.log",
        "build/a.md",
        "sub/a.log",
        "sub/b.log",
        "sub/build/x.md",
        "sub/other/a.md",
    )
    (tmp_path / ".gitignore").write_text("*.log\n!keep.log\n/build/\n")
    (tmp_path / "sub" / ".gitignore").write_text("!b.log\nother\n")
    assert walked(tmp_path) == ["keep.log", "sub/b.log", "sub/build/x.md"]


def test_a_negation_does_not_bring_back_what_lies_in_an_ignored_folder(tmp_path: Path) -> None:
    grow(tmp_path, "build/keep.md", "a.md")
    (tmp_path / ".gitignore").write_text("build/\n!build/keep.md\n")
    assert walked(tmp_path) == ["a.md"]


def test_tamisignore_goes_before_every_gitignore(tmp_path: Path) -> None:
    grow(tmp_path, "generated/api.md", "vendor/a.md", "a.md", ".github/ci.yml", ".env")
    (tmp_path / ".gitignore").write_text("generated/*.md\n")
    (tmp_path / "generated" / ".gitignore").write_text("*\n")
    (tmp_path / ".tamisignore").write_text("vendor/\n!generated/*.md\n!.github/\n")
    assert walked(tmp_path) == ["a.md", ".github/ci.yml", "generated/api.md"]


def test_a_folder_inside_a_working_tree_has_the_rules_above_it(tmp_path: Path) -> None:
    grow(tmp_path, ".git/", "docs/deep/a.md", "docs/deep/b.bak", "docs/deep/c.tmp")
    (tmp_path / ".gitignore").write_text("*.bak\n")
    (tmp_path / "docs" / ".tamisignore").write_text("*.tmp\n")
    found = walk([str(tmp_path / "docs" / "deep")], allowed_roots=[real(tmp_path)])
    assert relative(found, tmp_path) == ["docs/deep/a.md"]


def test_rules_above_a_folder_stay_out_without_a_working_tree_or_a_permission(tmp_path: Path) -> None:
    grow(tmp_path, "docs/b.bak")
    (tmp_path / ".gitignore").write_text("*.bak\n")
    assert walked(tmp_path / "docs") == ["b.bak"]
    grow(tmp_path, ".git/")
    assert walked(tmp_path / "docs") == ["b.bak"]


def test_a_named_folder_is_walked_even_if_it_is_ignored(tmp_path: Path) -> None:
    grow(tmp_path, ".git/", "build/a.md", "build/b.md")
    (tmp_path / ".gitignore").write_text("build\n*.md\n")
    found = walk([str(tmp_path / "build")], allowed_roots=[real(tmp_path)])
    assert relative(found, tmp_path) == ["build/a.md", "build/b.md"]


def test_a_named_file_is_taken_even_if_it_is_ignored_and_only_once(tmp_path: Path) -> None:
    grow(tmp_path, "a.md", "b.md")
    (tmp_path / ".gitignore").write_text("*.md\n")
    named = [str(tmp_path), str(tmp_path / "a.md"), str(tmp_path / "." / "a.md"), str(tmp_path)]
    assert relative(walk(named, allowed_roots=[real(tmp_path)]), tmp_path) == ["a.md"]


def test_a_folder_named_inside_another_is_walked_once(tmp_path: Path) -> None:
    grow(tmp_path, "a.md", "sub/b.md")
    named = [str(tmp_path), str(tmp_path / "sub")]
    assert relative(walk(named, allowed_roots=[real(tmp_path)]), tmp_path) == ["a.md", "sub/b.md"]


@pytest.mark.timeout(10)
def test_an_ignore_file_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    grow(tmp_path, "a.md", "b/a.md", "c/a.md", "rules")
    (tmp_path / ".gitignore").symlink_to("rules")
    os.mkfifo(tmp_path / "b" / ".tamisignore")
    (tmp_path / "c" / ".gitignore").write_text("*.md\n" * 100_000)
    found = walk([str(tmp_path)], allowed_roots=[real(tmp_path)])
    assert relative(found, tmp_path) == ["a.md", "rules", "b/a.md", "c/a.md"]
    assert [item.code for item in found.failed] == [
        "SYMLINK_NOT_ALLOWED",
        "SOURCE_NOT_REGULAR",
        "SOURCE_TOO_LARGE",
    ]


# -- globs ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("include", "exclude", "expected"),
    [
        (["*.md"], [], ["a.md", "docs/b.md", "docs/old/c.md"]),
        (["docs/*.md"], [], ["docs/b.md"]),
        (["docs/**"], [], ["docs/b.md", "docs/d.txt", "docs/old/c.md"]),
        (["docs/"], [], ["docs/b.md", "docs/d.txt", "docs/old/c.md"]),
        (["old/"], [], ["docs/old/c.md"]),
        (["./*.md"], [], ["a.md"]),
        ([r"docs\*.txt"], [], ["docs/d.txt"]),
        (["a.md", "*.txt"], [], ["a.md", "docs/d.txt"]),
        ([], ["*.md"], ["docs/d.txt"]),
        ([], ["docs"], ["a.md"]),
        ([], ["docs/"], ["a.md"]),
        ([], ["docs/**"], ["a.md"]),
        ([], ["**/old/**"], ["a.md", "docs/b.md", "docs/d.txt"]),
        ([], ["old/"], ["a.md", "docs/b.md", "docs/d.txt"]),
        ([], ["*"], []),
        (["*.md"], ["docs/old"], ["a.md", "docs/b.md"]),
        (["*.rst"], [], []),
    ],
)
def test_globs_include_and_exclude(
    tmp_path: Path, include: list[str], exclude: list[str], expected: list[str]
) -> None:
    grow(tmp_path, "a.md", "docs/b.md", "docs/d.txt", "docs/old/c.md")
    assert walked(tmp_path, include=include, exclude=exclude) == expected


def test_a_glob_with_a_leading_slash_speaks_of_the_absolute_path(tmp_path: Path) -> None:
    grow(tmp_path, "docs/b.md", "a.md")
    assert walked(tmp_path, include=[f"{real(tmp_path)}/docs/**"]) == ["docs/b.md"]
    assert walked(tmp_path, include=["/docs/**"]) == []


def test_globs_apply_to_named_files_too(tmp_path: Path) -> None:
    grow(tmp_path, "a.md", "b.log")
    named = [str(tmp_path / "a.md"), str(tmp_path / "b.log")]
    allowed = [real(tmp_path)]
    assert relative(walk(named, allowed_roots=allowed, exclude=["*.log"]), tmp_path) == ["a.md"]
    assert relative(walk(named, allowed_roots=allowed, include=["*.log"]), tmp_path) == ["b.log"]


@pytest.mark.parametrize("blank", ["", " ", "/"])
def test_a_blank_glob_is_refused(blank: str) -> None:
    with pytest.raises(InputError, match="blank"):
        walk(["."], allowed_roots=["/"], include=[blank])


# -- what fails, is missing or is skipped -----------------------------------------------------------------


def test_symlinks_are_refused_and_reported(tmp_path: Path) -> None:
    grow(tmp_path, "root/a.md", "root/.hidden", "elsewhere/b.md")
    for name, target in [
        ("file.md", "a.md"),
        ("folder", "../elsewhere"),
        ("loop", "."),
        ("dangling.md", "gone"),
        (".x", "a.md"),
    ]:
        (tmp_path / "root" / name).symlink_to(target)
    found = walk([str(tmp_path / "root")], allowed_roots=[real(tmp_path)])
    assert relative(found, tmp_path) == ["root/a.md"]
    assert {item.code for item in found.failed} == {"SYMLINK_NOT_ALLOWED"}
    assert [os.path.basename(item.path) for item in found.failed] == [
        "dangling.md",
        "file.md",
        "folder",
        "loop",
    ]


def test_a_link_to_a_folder_is_reported_even_where_only_some_files_are_included(tmp_path: Path) -> None:
    grow(tmp_path, "a.md", "elsewhere/b.md")
    (tmp_path / "link").symlink_to("elsewhere")
    (tmp_path / "link.txt").symlink_to("a.md")
    found = walk([str(tmp_path)], allowed_roots=[real(tmp_path)], include=["*.md"])
    assert relative(found, tmp_path) == ["a.md", "elsewhere/b.md"]
    assert [os.path.basename(item.path) for item in found.failed] == ["link"]


@pytest.mark.timeout(10)
def test_special_files_are_reported_and_never_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grow(tmp_path, "a.md")
    os.mkfifo(tmp_path / "pipe.md")
    monkeypatch.chdir(tmp_path)  # a socket's path must be short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        found = walk(
            [str(tmp_path), "/dev/null", str(tmp_path / "pipe.md")], allowed_roots=[real(tmp_path), "/dev"]
        )
        assert relative(found, tmp_path) == ["a.md"]
    assert {item.path: item.reason for item in found.failed} == {
        real(tmp_path / "pipe.md"): "it is a named pipe, not a regular file",
        real(tmp_path / "socket"): "it is a socket, not a regular file",
        "/dev/null": "it is a device, not a regular file",
    }
    assert {item.code for item in found.failed} == {"SOURCE_NOT_REGULAR"}


def test_a_file_over_the_size_cap_fails(tmp_path: Path) -> None:
    grow(tmp_path, "at.md", text="x" * 1000)
    grow(tmp_path, "over.md", text="x" * 1001)
    found = walk([str(tmp_path)], allowed_roots=[real(tmp_path)], max_bytes=1000)
    assert relative(found, tmp_path) == ["at.md"]
    (failed,) = found.failed
    assert failed.code == "SOURCE_TOO_LARGE"
    assert failed.reason == "it has 1,001 bytes; the limit is 1,000"


def test_files_in_formats_that_are_not_read_are_counted_by_their_names(tmp_path: Path) -> None:
    grow(
        tmp_path, "a.png", "b.PDF", "c.tar.gz", "d.docx", "e.ipynb", "f.md", "Makefile", "README", "g.unknown"
    )
    (tmp_path / "h.so").symlink_to("f.md")
    found = walk([str(tmp_path)], allowed_roots=[real(tmp_path)])
    assert relative(found, tmp_path) == ["Makefile", "README", "f.md", "g.unknown"]
    assert (found.skipped_binary, found.failed) == (6, [])


def test_a_named_path_that_is_not_there_is_missing_not_failed(tmp_path: Path) -> None:
    grow(tmp_path, "a.md")
    named = [str(tmp_path / "gone"), str(tmp_path / "a.md" / "below"), str(tmp_path / "a.md")]
    found = walk(named, allowed_roots=[real(tmp_path)])
    assert relative(found, tmp_path) == ["a.md"]
    assert found.missing == [real(tmp_path / "gone"), os.path.join(real(tmp_path), "a.md", "below")]
    assert found.failed == []


def test_a_named_path_outside_the_allowed_roots_fails(tmp_path: Path) -> None:
    grow(tmp_path, "in/a.md", "out/b.md", "inside-out/c.md")
    named = [str(tmp_path / name) for name in ("in", "out", "inside-out", "in/../out/b.md")]
    found = walk(named, allowed_roots=[real(tmp_path / "in")])
    assert relative(found, tmp_path) == ["in/a.md"]
    assert [item.code for item in found.failed] == ["PATH_NOT_ALLOWED"] * 3


def test_a_name_that_is_not_utf8_fails_with_a_path_that_can_be_stored(tmp_path: Path) -> None:
    for name in (b"bad-\xff.md", b"bad-\xff/"):
        path = os.fsencode(tmp_path) + b"/" + name
        try:
            if name.endswith(b"/"):
                os.mkdir(path)
            else:
                os.close(os.open(path, os.O_CREAT))
        except OSError:
            pytest.skip("this file system has UTF-8 names only")
    found = walk(
        [str(tmp_path), os.fsdecode(os.fsencode(tmp_path) + b"/bad-\xff")], allowed_roots=[real(tmp_path)]
    )
    assert list(found) == []
    assert sorted(item.path.rsplit("/", 1)[-1] for item in found.failed) == [
        r"bad-\xff",
        r"bad-\xff",
        r"bad-\xff.md",
    ]
    for item in found.failed:
        assert item.code == "SOURCE_UNREADABLE"
        item.path.encode()
        item.reason.encode()


def test_odd_names_are_names(tmp_path: Path) -> None:
    names = [
        "-leading-dash.md",
        "new\nline.md",
        "quote'\".md",
        "#hash?.md",
        "pct%20.md",
        "日本語.md",
        "ünï.md",
        "a\\b.md",
    ]
    grow(tmp_path, *names)
    assert walked(tmp_path) == sorted(names)


def test_a_name_with_a_nul_fails(tmp_path: Path) -> None:
    found = walk(["a\0b"], allowed_roots=[real(tmp_path)])
    assert list(found) == []
    assert [item.code for item in found.failed] == ["SOURCE_UNREADABLE"]


def test_a_folder_that_may_not_be_listed_fails_and_the_walk_goes_on(
    tmp_path: Path, unprivileged: Path
) -> None:
    grow(unprivileged, "a.md", "closed/b.md", "z.md", "blind/c.md")
    (unprivileged / "closed").chmod(0o000)
    (unprivileged / "blind").chmod(0o444)
    found = walk([str(unprivileged)], allowed_roots=[real(unprivileged)])
    assert relative(found, unprivileged) == ["a.md", "z.md"]
    assert [(os.path.basename(item.path), item.code) for item in found.failed] == [
        ("c.md", "SOURCE_UNREADABLE"),
        ("closed", "SOURCE_UNREADABLE"),
    ]
    assert all("Permission denied" in item.reason for item in found.failed)
    (unprivileged / "closed").chmod(0o700)
    (unprivileged / "blind").chmod(0o700)


def test_what_goes_while_the_walk_is_on_is_passed_over(tmp_path: Path) -> None:
    grow(tmp_path, "a/one.md", "b/two.md", "c/three.md", "d/four.md", "d/five.md")
    found = walk([str(tmp_path)], allowed_roots=[real(tmp_path)])
    seen: list[str] = []
    for source in found:
        seen.append(os.path.basename(source.path))
        if seen == ["one.md"]:
            (tmp_path / "b" / "two.md").unlink()
            (tmp_path / "b").rmdir()
        if seen[-1] == "five.md":
            (tmp_path / "d" / "four.md").unlink()
    assert seen == ["one.md", "three.md", "five.md"]
    assert found.failed == []


def test_a_deep_tree_is_walked(tmp_path: Path) -> None:
    deep = "/".join(["d" * 60] * 17)
    grow(tmp_path, f"{deep}/deep.md")
    assert walked(tmp_path) == [f"{deep}/deep.md"]


@pytest.mark.slow
def test_ten_thousand_files_under_sixty_rules_take_well_under_half_a_second(tmp_path: Path) -> None:
    for folder in range(100):
        grow(
            tmp_path,
            *(f"group{folder % 10}/folder{folder}/some-file-name-{number}.md" for number in range(100)),
        )
    (tmp_path / ".gitignore").write_text(
        "".join(f"build{number}/\n*.{number}.tmp\n/a/**/b{number}\n" for number in range(20))
    )
    found = walk([str(tmp_path)], allowed_roots=[real(tmp_path)])
    times: list[float] = []
    for _ in range(5):
        start = time.process_time()
        assert sum(1 for _ in found) == 10_000
        times.append(time.process_time() - start)
    assert min(times) < 0.4
