"""The glob language, against a table from minimatch's and gitignore's documentation and against a second implementation."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.readers import compile_glob

MATCHES = [
    ("a.md", "a.md"),
    ("*.md", "a.md"),
    ("*.md", ".md"),
    ("*", ".git"),
    ("?.md", "a.md"),
    ("?.md", "é.md"),
    ("docs/*.md", "docs/a.md"),
    ("docs/**", "docs/a.md"),
    ("docs/**", "docs/deep/er/a.md"),
    ("docs/**/a.md", "docs/a.md"),
    ("docs/**/a.md", "docs/x/y/a.md"),
    ("**/a.md", "a.md"),
    ("**/a.md", "x/y/a.md"),
    ("**/a.md", "/home/me/a.md"),
    ("**/x/**/a.md", "/home/x/a.md"),
    ("**", "a"),
    ("**", "a/b/c"),
    ("/home/*/a.md", "/home/me/a.md"),
    ("/**", "/a"),
    ("**/*.md", ".hidden/b.md"),
    ("**/**/b", "b"),
    ("a/**/**/b", "a/b"),
    ("a**b", "axxb"),
    ("*a*b", "aab"),
    ("a[1].md", "a[1].md"),
    ("{a,b}.md", "{a,b}.md"),
    ("a.b+c(d)$", "a.b+c(d)$"),
    (r"docs\*.md", "docs/a.md"),
    ("docs/*.md", r"docs\a.md"),
    ("C:/notes/**", r"C:\notes\x\a.md"),
    ("./docs//a.md", "docs/a.md"),
    ("docs/", "docs"),
    ("*", "new\nline"),
    ("**/b", "new\nline/b"),
]
DIFFERS = [
    ("a.md", "b.md"),
    ("a.md", "xa.md"),
    ("a.md", "a.mdx"),
    ("A.md", "a.md"),
    ("*.md", "docs/a.md"),
    ("*.md", r"docs\a.md"),
    ("?", ""),
    ("?", "ab"),
    ("a?b", "a/b"),
    ("docs/*", "docs/x/a.md"),
    ("docs/**", "docs"),
    ("docs/**", "docsx/a"),
    ("**/a.md", "xa.md"),
    ("a**b", "a/b"),
    ("**.md", "x/a.md"),
    ("a/*/b", "a/b"),
    ("a/*/b", "a/x/y/b"),
    ("*/b", "/b"),
    ("[ab].md", "a.md"),
    ("{a,b}.md", "a.md"),
    ("!a", "b"),
    ("a.md", "axmd"),
    ("home/**", "/home/a"),
    ("/home/**", "home/a"),
    ("", "a"),
]


@pytest.mark.parametrize(("pattern", "path"), MATCHES)
def test_a_glob_matches(pattern: str, path: str) -> None:
    assert compile_glob(pattern)(path)


@pytest.mark.parametrize(("pattern", "path"), DIFFERS)
def test_a_glob_does_not_match(pattern: str, path: str) -> None:
    assert not compile_glob(pattern)(path)


def second_implementation(pattern: list[str], path: list[str]) -> bool:
    """By recursion over the segments, each left to fnmatch."""
    if not pattern:
        return not path
    first, *rest = pattern
    if first == "**":
        if not rest:
            return bool(path)
        return any(second_implementation(rest, path[at:]) for at in range(len(path) + 1))
    if not path or (path[0] == "") != (first == ""):
        return False
    literal_brackets = re.sub(r"\*+", "*", first).replace("[", "[[]")
    return fnmatchcase(path[0], literal_brackets) and second_implementation(rest, path[1:])


pattern_segments = st.one_of(
    st.just("**"), st.text("ab*?.[]{}!", min_size=1, max_size=6).filter(lambda name: name != ".")
)
names = st.text("ab.[]{}!\n", min_size=1, max_size=6)


@given(
    st.lists(pattern_segments, min_size=1, max_size=5),
    st.lists(names, min_size=1, max_size=5),
    st.booleans(),
    st.booleans(),
)
def test_globs_agree_with_a_second_implementation(
    pattern: list[str], path: list[str], pattern_is_absolute: bool, path_is_absolute: bool
) -> None:
    pattern = ["", *pattern] if pattern_is_absolute else pattern
    path = ["", *path] if path_is_absolute else path
    # A segment of three stars or more is one star to fnmatch and to us alike; only two make a globstar.
    assert compile_glob("/".join(pattern))("/".join(path)) == second_implementation(pattern, path)


@pytest.mark.timeout(10)
@pytest.mark.parametrize(
    "pattern", ["*a" * 40 + "b", "**/a/" * 40 + "b", "**/*a*a*a*a*a*a*b/" * 10 + "c", "?*" * 60 + "b"]
)
def test_a_hostile_glob_takes_no_longer_than_another(pattern: str) -> None:
    matches = compile_glob(pattern)
    assert not matches("a" * 250)
    assert not matches("/".join(["a"] * 1000))
    assert not matches("/".join(["a" * 100] * 40))
