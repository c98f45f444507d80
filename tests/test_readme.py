"""The README's blocks are run, in order, in a home of their own."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

README = Path(__file__).resolve().parents[1] / "README.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
BLOCKS = [(match.group(1), match.group(2)) for match in BLOCK.finditer(README.read_text(encoding="utf-8"))]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder with notes in it, where the README's reader would be."""
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "keys.md").write_text("# Keys\n\nWe rotate the signing keys every month.\n")
    (notes / "deploy.md").write_text("# Deploy\n\nOn Tuesdays, by the operator on duty.\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TAMIS_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("TAMIS_CONFIG", os.devnull)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_commands_answer(home: Path) -> None:
    commands = [
        line[2:]
        for kind, text in BLOCKS
        if kind == "console"
        for line in text.splitlines()
        if line.startswith("$ ")
    ]
    assert len(commands) >= 5
    for command in commands:
        words = shlex.split(command)
        assert words[0] == "tamis"
        done = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        if words[1] in ("search", "get"):
            assert "keys" in done.stdout, command


def test_the_python_blocks_run_one_after_the_other(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    blocks = [text for kind, text in BLOCKS if kind == "python"]
    assert blocks
    for text in blocks:
        exec(compile(text, str(README), "exec"), names)
    assert "keys.md" in capsys.readouterr().out


def test_the_configuration_is_one_that_tamis_takes(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tamis.config import load

    blocks = [text for kind, text in BLOCKS if kind == "toml"]
    assert len(blocks) == 2
    for text in blocks:
        file = home / "tamis.toml"
        file.write_text(text)
        for table, values in tomllib.loads(text).items():
            taken = getattr(load(file).config, table)
            assert all(getattr(taken, name) not in (None, {}) for name in values)


def test_the_shell_commands_name_targets_that_there_are() -> None:
    makefile = (README.parent / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^(\w+):", makefile, re.MULTILINE))
    named = {
        name
        for kind, text in BLOCKS
        if kind == "sh"
        for name in re.findall(r"^make (\w+)", text, re.MULTILINE)
    }
    assert named
    assert named <= targets
