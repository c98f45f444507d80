"""doctor, config and completion."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tamis import embedders
from tamis.testing import HashEmbedder

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Tamis


def test_a_machine_that_works_passes_its_doctor(
    tamis: Tamis, indexed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAMIS_INDEX_EMBEDDER", "hash")
    outcome = tamis("doctor")
    assert outcome.status == 0, outcome.out
    for topic in ("installed", "configuration", "embedder", "storage", "allowed roots", "corpora"):
        assert f"\n{topic}\n" in "\n" + outcome.out
    checks = tamis("doctor", "--json").result["checks"]
    assert {
        "topic": "embedder",
        "name": "hash",
        "status": "ok",
        "detail": "hash@1, 64 dimensions",
        "hint": "",
    } in checks
    assert [check["detail"] for check in checks if check["topic"] == "corpora"] == [
        "documents: 3, chunks: 3, hash@1"
    ]


@pytest.mark.parametrize(
    ("variable", "value", "topic"),
    [
        ("TAMIS_INDEX_EMBEDDER", "nonsense", "embedder"),
        ("TAMIS_CONFIG", "/nowhere/tamis.toml", "configuration"),
        ("TAMIS_HOME", "/dev/null/tamis", "storage"),
    ],
)
def test_a_set_up_that_cannot_work_fails_its_doctor_with_a_remedy(
    tamis: Tamis, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, topic: str
) -> None:
    monkeypatch.setenv("TAMIS_INDEX_EMBEDDER", "hash")
    monkeypatch.setenv(variable, value)
    outcome = tamis("doctor", "--json")
    assert outcome.status == 1
    assert outcome.result["works"] is False
    failed = [check for check in outcome.result["checks"] if check["status"] == "failed"]
    assert [check["topic"] for check in failed] == [topic]
    assert failed[0]["hint"]


def test_a_corpus_of_another_model_is_a_warning(
    tamis: Tamis, indexed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = HashEmbedder(model="other")
    monkeypatch.setitem(embedders.registry._factories, "hash", lambda model, config: other)
    corpora = [check for check in tamis("doctor", "--json").result["checks"] if check["topic"] == "corpora"]
    assert corpora[0]["status"] == "warning"
    assert "other@1" in corpora[0]["hint"]


def test_the_configuration_says_where_each_value_comes_from(
    tamis: Tamis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "t.toml"
    file.write_text("[search]\ntop_k = 7\n")
    monkeypatch.setenv("TAMIS_SEARCH_MODE", "fact")
    shown = {item["key"]: item for item in tamis("config", "show", "--config", file, "--json").result}
    assert shown["search.top_k"] == {"key": "search.top_k", "value": 7, "origin": str(file)}
    assert shown["search.mode"]["origin"] == "TAMIS_SEARCH_MODE"
    assert shown["index.chunk_chars"] == {"key": "index.chunk_chars", "value": 800, "origin": "default"}
    lines = tamis("config", "show", "--config", file).out.splitlines()
    assert [line.split() for line in lines if line.startswith("search.top_k")] == [
        ["search.top_k", "7", "~/t.toml"]
    ]


def test_a_configuration_that_does_not_hold_is_wrong_usage(tamis: Tamis, tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    file.write_text("[search]\ntop_kk = 7\n")
    outcome = tamis("config", "show", "--config", file, "--json")
    assert (outcome.status, outcome.error["code"]) == (2, "CONFIG_INVALID")
    assert "search.top_k" in outcome.error["hint"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_printed_for_each_shell(tamis: Tamis, shell: str) -> None:
    assert "_TAMIS_COMPLETE" in tamis("completion", shell).out


@pytest.mark.parametrize(
    ("shell", "place"),
    [
        ("bash", "data/bash-completion/completions/tamis"),
        ("zsh", ".zfunc/_tamis"),
        ("fish", "config/fish/completions/tamis.fish"),
    ],
)
def test_completion_is_installed_where_the_shell_looks(
    tamis: Tamis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shell: str, place: str
) -> None:
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    assert tamis("completion", "--install").status == 0
    assert "_TAMIS_COMPLETE" in (tmp_path / place).read_text()


def test_an_unknown_shell_is_asked_about(tamis: Tamis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", "/bin/csh")
    outcome = tamis("completion")
    assert outcome.status == 2
    assert "bash, zsh, fish" in outcome.err


def test_a_shell_is_offered_commands_and_corpora(tamis: Tamis, indexed: Path) -> None:
    def offered(line: str) -> str:
        environment = os.environ | {
            "_TAMIS_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))
        }  # fmt: skip
        return subprocess.run(
            [sys.executable, "-m", "tamis"], env=environment, capture_output=True, text=True, check=True
        ).stdout

    assert offered("tamis refr") == "plain,refresh\n"
    assert offered("tamis refresh no") == "plain,notes\n"
    assert offered("tamis search -c ") == "plain,notes\n"
