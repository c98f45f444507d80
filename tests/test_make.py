"""``make try`` takes what a person gives it as it is."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[1]
TAMIS = """#!{python}
import json, sys
print(json.dumps(sys.argv[1:]))
"""

Runs: TypeAlias = "Callable[..., list[list[str]]]"


@pytest.fixture
def make_try(tmp_path: Path) -> Runs:
    """Runs ``make try`` with a tamis that only notes its arguments; gives those of each call."""
    make = shutil.which("make")
    if make is None:
        pytest.skip("there is no make")
    venv = tmp_path / "venv"
    (venv / "bin").mkdir(parents=True)
    tamis = venv / "bin" / "tamis"
    tamis.write_text(TAMIS.format(python=sys.executable))
    tamis.chmod(0o755)
    (venv / ".run").touch()

    def run(*variables: str, environment: dict[str, str] | None = None) -> list[list[str]]:
        done = subprocess.run(
            [make, "-s", "try", f"VENV={venv}", f"TRY_HOME={tmp_path / 'a home'}", *variables],
            cwd=ROOT,
            env={**os.environ, "HOME": str(tmp_path), **(environment or {})},
            capture_output=True,
            text=True,
            check=True,
        )
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


def test_without_arguments_it_asks_this_projects_documents(make_try: Runs, tmp_path: Path) -> None:
    index, search = make_try()
    assert index[:2] == search[:2] == ["--home", str(tmp_path / "a home")]
    assert index[2:] == ["index", "try", "--", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs"]
    assert search[2:6] == ["search", "-c", "try", "--"]


def test_a_folder_with_spaces_is_one_folder(make_try: Runs, tmp_path: Path) -> None:
    notes = tmp_path / "my notes"
    notes.mkdir()
    for given in (str(notes), "~/my notes"):
        index, _ = make_try(f"DOCS={given}")
        assert index[5:] == [str(notes)]


def test_several_folders_have_spaces_between_them(make_try: Runs) -> None:
    index, _ = make_try("DOCS=docs  README.md *")
    assert index[5:] == ["docs", "README.md", "*"]


@pytest.mark.parametrize(
    "query",
    [
        'x" ; echo INJECTED ; echo "',
        "it's $HOME, $(HOME) and $$",
        "`id` $(id) \\ & | # 100%",
        "-k 3",
        "größer",
    ],
)
def test_a_query_is_never_read_as_a_command(make_try: Runs, query: str) -> None:
    for _, search in (make_try(f"QUERY={query}"), make_try(environment={"QUERY": query})):
        assert search[5:] == ["--", query]
