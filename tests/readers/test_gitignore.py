"""Ignore rules, against git itself and against the examples of gitignore(5)."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamis.readers.gitignore import IgnoreRules

if TYPE_CHECKING:
    from collections.abc import Iterator


def verdict(rules: str, path: str, *, folder: bool = False) -> bool | None:
    return IgnoreRules("/r", rules).ignores(f"/r/{path}", path.rsplit("/", 1)[-1], folder=folder)


@pytest.mark.parametrize(
    ("rules", "path", "folder", "expected"),
    [
        ("hello.*", "hello.txt", False, True),
        ("hello.*", "a/hello.java", False, True),
        ("/hello.*", "hello.c", False, True),
        ("/hello.*", "a/hello.java", False, None),
        ("foo/", "foo", True, True),
        ("foo/", "foo", False, None),
        ("foo/", "a/foo", True, True),
        ("doc/frotz", "doc/frotz", True, True),
        ("doc/frotz", "a/doc/frotz", True, None),
        ("doc/frotz/", "doc/frotz", False, None),
        ("**/foo", "a/b/foo", False, True),
        ("**/foo/bar", "a/foo/bar", False, True),
        ("abc/**", "abc/x/y", False, True),
        ("abc/**", "abc", True, None),
        ("a/**/b", "a/b", False, True),
        ("a/**/b", "a/x/y/b", False, True),
        ("foo/*", "foo/test.json", False, True),
        ("foo/*", "foo/bar/hello.c", False, None),
        ("*.html\n!foo.html", "foo.html", False, False),
        ("!foo.html\n*.html", "foo.html", False, True),
        ("# a comment", "# a comment", False, None),
        (r"\#file", "#file", False, True),
        (r"\!file", "!file", False, True),
        ("trailing   ", "trailing", False, True),
        (r"kept\ ", "kept ", False, True),
        ("windows.txt\r", "windows.txt", False, True),
        ("\ufeffbom.txt", "bom.txt", False, True),
        ("", "a", False, None),
        ("/", "a", True, None),
        ("[a-c].md", "b.md", False, True),
        ("[!a-c].md", "b.md", False, None),
        ("[[:digit:]].md", "7.md", False, True),
        ("[", "[", False, None),
        ("unclosed[a", "unclosed[a", False, None),
        ("ends\\", "ends\\", False, None),
        ("a/b\n!b\na/b", "a/b", False, True),
        ("a//b", "a/b", False, None),
        (r"**/\/**", "a/b", False, None),
        ("*", "anything", True, True),
        ("é?", "éü", False, True),
    ],
)
def test_rules_read_as_the_manual_says(rules: str, path: str, folder: bool, expected: bool | None) -> None:
    assert verdict(rules, path, folder=folder) is expected


@pytest.mark.timeout(10)
def test_a_hostile_rule_takes_no_longer_than_another() -> None:
    assert verdict("*a" * 40 + "b", "a" * 250) is None
    assert verdict("**/*a*a*a*a*a*a*b/" * 10 + "c", "/".join(["a" * 60] * 40)) is None


NAMES = ["a", "b", "ab", "a.b", "x", "[a", "a\\b", "#a", "!a", "{a,b}", "-", "1"]
SEGMENTS = [
    *[
        "a",
        "b",
        "*",
        "**",
        "***",
        "a*",
        "*b",
        "*.b",
        "?",
        "a?",
        "ab",
        "[ab]",
        "[!a]",
        "[^a]",
        "[a-b]",
        "[a-",
        "[z-a]",
    ],
    *[
        "[]a]",
        "[a-]",
        "[[:alpha:]]",
        "[[:digit:]b]",
        "[[:nope:]]",
        "[[:alpha]",
        "\\*",
        "a\\b",
        "\\[a",
        "[\\]a]",
        "\\",
    ],
    *["a**b", "{a,b}", "a ", "a\\ ", "\\#a", "\\!a", "#a", "!a", "[a/b]", "[--1]"],
]
patterns = st.builds(
    lambda bang, slash, segments, end: bang + slash + "/".join(segments) + end,
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "", "/"]),
    st.lists(st.sampled_from(SEGMENTS), min_size=1, max_size=3),
    st.sampled_from(["", "", "/"]),
)
rule_files = st.lists(patterns, min_size=1, max_size=6).map("\n".join)


def populate(folder: Path, depth: int) -> None:
    for name in NAMES:
        if depth and name in ("a", "b", "a.b", "[a"):
            (folder / name).mkdir()
            populate(folder / name, depth - 1)
        else:
            (folder / name).touch()


@pytest.fixture(scope="module")
def working_tree() -> Iterator[Path]:
    if shutil.which("git") is None:
        pytest.skip("git is not here")
    folder = Path(tempfile.mkdtemp(prefix="tamis-ignore-"))
    subprocess.run(["git", "init", "-q", folder], check=True)
    populate(folder, 2)
    yield folder
    shutil.rmtree(folder)


def kept(folder: Path, stack: list[IgnoreRules]) -> set[str]:
    rules = folder / ".gitignore"
    stack = [*stack, IgnoreRules(str(folder), rules.read_text())] if rules.exists() else stack
    found: set[str] = set()
    for entry in folder.iterdir():
        if entry.name in (".git", ".gitignore"):
            continue
        verdicts = (r.ignores(str(entry), entry.name, folder=entry.is_dir()) for r in reversed(stack))
        if next((verdict for verdict in verdicts if verdict is not None), False):
            continue
        found |= kept(entry, stack) if entry.is_dir() else {str(entry)}
    return found


@settings(max_examples=60, deadline=None)
@given(top=rule_files, nested=rule_files)
def test_rules_agree_with_git(working_tree: Path, top: str, nested: str) -> None:
    (working_tree / ".gitignore").write_text(top)
    (working_tree / "a" / ".gitignore").write_text(nested)
    command = ["git", "-C", working_tree, "ls-files", "-z", "-o", "--exclude-per-directory=.gitignore"]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
    expected = {str(working_tree / path) for path in listed if path and not path.endswith(".gitignore")}
    assert kept(working_tree, []) == expected
