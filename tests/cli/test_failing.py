"""How commands end badly: one message, a remedy, and a status that scripts can rely on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tamis.errors import TamisError

if TYPE_CHECKING:
    from tests.cli.conftest import Tamis

TAMIS = [sys.executable, "-m", "tamis"]


def test_a_message_and_a_remedy_go_to_stderr(tamis: Tamis, indexed: Path) -> None:
    outcome = tamis("search", "-c", "note", "keys")
    assert (outcome.status, outcome.out) == (3, "")
    assert outcome.err == "error: there is no corpus 'note'\nhint: did you mean 'notes'? corpora: notes\n"


def test_an_error_in_json_is_an_object_on_stderr(tamis: Tamis, indexed: Path) -> None:
    outcome = tamis("search", "-c", "note", "keys", "--json")
    assert (outcome.status, outcome.out) == (3, "")
    assert outcome.error == {
        "error": True,
        "code": "CORPUS_NOT_FOUND",
        "message": "there is no corpus 'note'",
        "hint": "did you mean 'notes'? corpora: notes",
        "retryable": False,
    }


@pytest.mark.parametrize(
    "arguments",
    [
        ("search",),
        ("search", "keys", "-k", "many"),
        ("search", "keys", "-k", "0"),
        ("search", "keys", "-m", "magic"),
        ("search", "keys", "--since", "tomorrow"),
        ("search", "two", "words"),
        ("index", "notes"),
        ("index", "no/tes", "."),
        ("serch", "keys"),
        ("search", "--nope", "keys"),
        ("--config", "/nowhere.toml", "list"),
    ],
)
def test_wrong_usage_ends_with_2_and_says_what_is_right(
    tamis: Tamis, indexed: Path, arguments: tuple[str, ...]
) -> None:
    outcome = tamis(*arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith("error: ")
    assert "\nhint: " in outcome.err
    error = tamis(*arguments, "--json").error
    assert error["code"] in {"SCHEMA_INVALID", "FILTER_INVALID", "CONFIG_INVALID"}


def test_a_mistyped_command_is_guessed(tamis: Tamis) -> None:
    assert "did you mean 'search'?" in tamis("serch", "keys").err


def test_a_path_that_is_not_there_ends_with_1(tamis: Tamis) -> None:
    outcome = tamis("index", "notes", "/nowhere/at/all", "--json")
    assert (outcome.status, outcome.error["code"]) == (1, "SOURCE_PATH_NOT_FOUND")


def test_help_and_version_go_to_stdout_and_end_with_0(tamis: Tamis) -> None:
    assert tamis("-h").out.startswith("Usage: tamis ")
    assert tamis("search", "--help").status == 0
    assert tamis("--version").out.startswith("tamis 0.")
    bare = tamis()
    assert (bare.status, bare.out) == (2, "")
    assert bare.err.startswith("Usage: tamis ")


def test_an_unforeseen_error_is_a_message_with_a_traceback_only_when_asked(
    tamis: Tamis, indexed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr("tamis.library.Library.list", broken)
    outcome = tamis("list")
    assert outcome.status == 1
    assert outcome.err.startswith("error: unexpected RuntimeError\nhint: ")
    assert "Traceback" in tamis("list", "--debug").err


def test_the_systems_own_words_are_passed_on(tamis: Tamis, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "/data/corpus.db")

    monkeypatch.setattr("tamis.library.Library.list", full)
    assert tamis("list").err == (
        "error: /data/corpus.db: No space left on device\nhint: make room and run it again\n"
    )


def test_an_interrupted_command_says_so_in_a_line_and_ends_with_130(
    tamis: Tamis, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tamis.library.Library.list", stopped)
    outcome = tamis("list")
    assert outcome.status == 130
    assert outcome.err == "error: interrupted; what was done is kept\n"
    assert tamis("list", "--json").error["code"] == "INTERRUPTED"


@pytest.mark.parametrize("kind", TamisError.__subclasses__())
def test_every_kind_of_error_ends_with_the_status_that_it_names(
    tamis: Tamis, monkeypatch: pytest.MonkeyPatch, kind: type[TamisError]
) -> None:
    error = (
        kind("feature", extra="x")
        if kind.__name__ == "MissingExtraError"
        else kind("it failed", hint="mend it")
    )

    def failing(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("tamis.library.Library.list", failing)
    outcome = tamis("list", "--json")
    assert (outcome.status, outcome.error["code"]) == (error.exit_status, error.code)


def test_a_reader_that_goes_away_is_no_error(indexed: Path) -> None:
    command = f"{sys.executable} -m tamis list --json | head -c 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout == "{0\n"
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device to write to")
def test_a_disk_that_is_full_is_a_failure() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*TAMIS, "config", "show"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    assert done.stderr.startswith("error: No space left on device\n")


def test_closed_streams_are_no_error(indexed: Path) -> None:
    command = f"{sys.executable} -m tamis list >&- 2>&-; echo $?"
    assert subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True).stdout == "0\n"


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_any_text_can_be_shown_in_any_encoding(tmp_path: Path, encoding: str) -> None:
    odd = tmp_path / "odd"
    odd.mkdir()
    (odd / "鑰匙.md").write_text("# Ключ › 鑰匙\n\nemoji 🧂 and a tail\n", encoding="utf-8")
    Path(os.fsdecode(os.fsencode(odd) + b"/caf\xe9.md")).write_text("# x\n")
    environment = os.environ | {"PYTHONIOENCODING": encoding, "LC_ALL": "C"}

    def run(*arguments: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([*TAMIS, *arguments], env=environment, capture_output=True, check=False)

    indexing = run("index", "odd", str(odd), "--no-dense")
    assert indexing.returncode == 0, indexing.stderr
    assert rb"caf\xe9.md" in indexing.stdout
    search = run("search", "emoji", "-m", "lexical")
    assert search.returncode == 0, search.stderr
    assert b"emoji" in search.stdout
    found = json.loads(run("search", "emoji", "-m", "lexical", "--json").stdout)
    assert Path(found["result"]["hits"][0]["path"]).name == "鑰匙.md"


def test_a_name_that_is_not_utf_8_is_refused_in_words(tamis: Tamis, own: Path, tmp_path: Path) -> None:
    draft, name = tmp_path / "draft.md", os.fsdecode(b"caf\xe9.md")
    draft.write_text("text")
    got = tamis("get", name, "--json")
    assert (got.status, got.error["code"]) == (1, "DOCUMENT_NOT_FOUND")
    for arguments in (
        ("amend", "notes", name, "--content-file", draft),
        ("index", "other", name, "--no-dense"),
    ):
        outcome = tamis(*arguments, "--json")
        assert (outcome.status, outcome.error["code"]) == (1, "SOURCE_UNREADABLE")


def test_an_id_that_is_too_large_is_not_found(tamis: Tamis, indexed: Path) -> None:
    assert tamis("get", "9" * 40, "--json").error["code"] == "DOCUMENT_NOT_FOUND"


def test_an_index_without_its_vectors_says_so_even_when_quiet(
    tamis: Tamis, own: Path, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    quiet = tamis("index", "quiet", notes, "-q", "--embedder", "ollama:nomic-embed-text")
    assert quiet.status == 0
    assert "embedding stopped" in quiet.err
    assert "ollama serve" in quiet.err
    told = json.loads(tamis("index", "quiet", notes, "--json").out)
    assert told["degraded"] is True
    assert "embedding stopped" in told["degrade_reason"]
    assert told["result"]["newly_embedded_chunks"] == 0
