"""The package of docs/plugins.md is one: it is found, it works, and it keeps the laws."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "plugins.md"
TEXT = PAGE.read_text(encoding="utf-8")
FILES = dict(re.findall(r"`([\w.]+)`:\n\n```\w+\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL))
LINES = re.findall(r"^((?:tamis|pytest) .*)$", TEXT, re.MULTILINE)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the package, as pip would leave it, and a folder of notes."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    project = tomllib.loads(FILES["pyproject.toml"])["project"]
    info = tmp_path / "acme_tamis-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    (info / "entry_points.txt").write_text(
        "".join(
            f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in points.items())
            for group, points in project["entry-points"].items()
        )
    )
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "keys.md").write_text("# Keys\n\nWe rotate the signing keys every month.\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("TAMIS_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TAMIS_CONFIG", os.devnull)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def run(folder: Path, line: str, *more: str) -> str:
    words = shlex.split(line)
    done = subprocess.run(
        [sys.executable, "-m", *words, *more], cwd=folder, capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_commands_work(installed: Path) -> None:
    commands = [line for line in LINES if line.startswith("tamis ")]
    said = {shlex.split(line)[1]: json.loads(run(installed, line, "--json")) for line in commands}
    assert said["index"]["result"]["embed_model_resolved"] == "letters@1"
    assert said["search"]["result"]["reranker"] == "length"
    assert not said["search"].get("degraded")
    assert said["search"]["result"]["hits"][0]["path"].endswith("keys.md")
    assert ("length", "acme-tamis", None) in [
        (one["key"], one["package"], one.get("error")) for one in said["rerankers"]["result"]
    ]


def test_the_suites_pass_and_find_a_broken_law(installed: Path) -> None:
    (line,) = [line for line in LINES if line.startswith("pytest ")]
    assert " passed" in run(installed, line, "-q", "-p", "no:cacheprovider")
    code = (installed / "acme_tamis.py").read_text()
    (installed / "acme_tamis.py").write_text(
        code.replace("sorted(scored, key=lambda one: -one.score)", "scored")
    )
    with pytest.raises(AssertionError, match="not descending"):
        run(installed, line, "-q", "-p", "no:cacheprovider")


def test_all_that_is_for_plug_ins_authors_is_named() -> None:
    from tamis import testing

    assert {name for name in testing.__all__ if name not in TEXT} == {"sample_candidates"}
