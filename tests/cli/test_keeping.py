"""index, refresh, embed, amend, list, health, history and remove."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Tamis


def test_an_index_run_reports_and_a_second_does_nothing_anew(tamis: Tamis, notes: Path) -> None:
    first = tamis("index", "notes", notes, "--embedder", "hash", "--json").result
    assert (first["name"], first["documents"], first["dense_coverage"]) == ("notes", 3, 1.0)
    assert first["newly_embedded_chunks"] == first["chunks"]
    again = tamis("index", "notes", notes, "--json").result
    assert (again["newly_embedded_chunks"], again["reused_chunks"]) == (0, first["chunks"])
    assert tamis("index", "notes", notes).out.startswith("notes: 3 documents, ")


@pytest.mark.parametrize("given", [(), ("-", "--content-file", "draft.md")])
def test_new_text_is_given_once(tamis: Tamis, own: Path, given: tuple[str, ...]) -> None:
    outcome = tamis("amend", "notes", own / "keys.md", *given)
    assert outcome.status == 2
    assert "give the new text once" in outcome.err


def test_a_home_that_is_a_file_is_named(tamis: Tamis, notes: Path) -> None:
    outcome = tamis("--home", notes / "keys.md", "index", "notes", notes, "--no-dense", "--json")
    assert (outcome.status, outcome.error["code"]) == (3, "CORPUS_UNUSABLE")
    assert "TAMIS_HOME" in outcome.error["hint"]


def test_globs_choose_what_is_read(tamis: Tamis, notes: Path) -> None:
    only = tamis(
        "index", "notes", notes, "--no-dense", "--include", "*.md", "--exclude", "back*", "--json"
    ).result
    assert only["documents"] == 1


def test_a_folder_without_a_document_is_a_loud_warning(tamis: Tamis, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    outcome = tamis("index", "nothing", empty, "--no-dense")
    assert outcome.status == 0
    assert "warning: no files matched" in outcome.err


def test_vectors_can_be_made_later(tamis: Tamis, notes: Path) -> None:
    report = tamis("index", "notes", notes, "--embedder", "hash", "--no-dense", "--json").result
    assert report["dense_coverage"] == 0.0
    made = tamis("embed", "notes", "--json")
    assert made.result["dense_coverage"] == 1.0
    assert made.data["tier_used"] == "embed"
    assert tamis("embed").out.startswith("notes: 0 new vectors, 100% of the corpus")


def test_a_refresh_tells_what_changed(tamis: Tamis, own: Path) -> None:
    (own / "new.md").write_text("# New\n\nSomething.\n")
    (own / "backups.md").unlink()
    outcome = tamis("refresh", "notes")
    assert "1 added, 1 deleted, 2 unchanged" in outcome.out
    assert "+ notes/new.md" in outcome.out.replace("~/", "")
    assert tamis("refresh").out.startswith("notes: up to date, 3 files")
    assert tamis("refresh", "--json").result["no_op"] is True


def test_amended_text_is_found_and_a_refresh_takes_it_back(tamis: Tamis, own: Path, tmp_path: Path) -> None:
    draft = tmp_path / "draft.md"
    draft.write_text("# Keys\n\nKeys are never rotated: zebra.\n")
    outcome = tamis("amend", "notes", own / "keys.md", "--content-file", draft)
    assert outcome.status == 0
    assert "keys.md, " in outcome.out
    assert "warning: " in outcome.err
    assert tamis("search", "zebra", "-m", "lexical", "--json").result["hits"]
    assert "amended" in tamis("list").out
    assert "in effect" in tamis("history", "notes").out
    assert tamis("history", "--json").result[0]["path"] == str(own / "keys.md")
    tamis("refresh", "notes", "--verify")
    assert not tamis("search", "zebra", "-m", "lexical", "--json").result["hits"]
    assert "in effect" not in tamis("history", "notes").out


def test_new_text_comes_from_stdin_and_must_be_text(tamis: Tamis, own: Path) -> None:
    arguments = ("amend", "notes", own / "keys.md", "-")
    assert tamis(*arguments, stdin="# Schlüssel\n\nGelb.\n".encode()).status == 0
    assert "Gelb" in tamis("get", own / "keys.md").out
    assert tamis(*arguments, stdin=b"\xff\xfe\x00").status == 2
    assert tamis(*arguments, stdin=b"").status == 2
    missing = tamis("amend", "notes", own / "keys.md", "--content-file", "gone.md", "--json")
    assert (missing.status, missing.error["code"]) == (1, "SOURCE_PATH_NOT_FOUND")


def test_the_list_has_a_line_for_each_corpus(tamis: Tamis, indexed: Path) -> None:
    lines = tamis("list").out.splitlines()
    assert lines[0].split()[:3] == ["NAME", "DOCUMENTS", "CHUNKS"]
    assert lines[1].split()[:2] == ["notes", "3"]
    assert [item["name"] for item in tamis("list", "--json").result] == ["notes"]


def test_where_there_is_nothing_it_says_how_to_begin(tamis: Tamis) -> None:
    outcome = tamis("list")
    assert (outcome.status, outcome.out) == (0, "")
    assert "tamis index NAME PATH" in outcome.err
    search = tamis("search", "keys", "--json")
    assert (search.status, search.error["code"]) == (3, "CORPUS_NOT_FOUND")
    assert search.error["message"] == "there is no corpus yet"


def test_health_tells_what_there_is_file_by_file_when_asked(tamis: Tamis, indexed: Path) -> None:
    outcome = tamis("health", "notes")
    assert outcome.out.startswith("notes: healthy\n")
    assert "keys.md" not in outcome.out
    assert "keys.md" in tamis("health", "--detailed").out
    assert len(tamis("health", "--detailed", "--json").result["files"]) == 3


def test_where_there_are_several_corpora_one_must_be_named(tamis: Tamis, own: Path) -> None:
    tamis("index", "other", own / "keys.md", "--no-dense")
    outcome = tamis("health")
    assert outcome.status == 2
    assert "notes, other" in outcome.err


def test_a_corpus_is_removed_only_when_that_is_confirmed(
    tamis: Tamis, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = tamis("remove", "notes", "--json")
    assert refused.status == 2
    assert "--yes" in refused.error["hint"]
    assert tamis("list", "--json").result
    assert tamis("remove", "notes", "--yes").out == "removed notes\n"
    assert tamis("list", "--json").result == []
    assert (own / "keys.md").exists()


@pytest.mark.parametrize(("answer", "status", "left"), [(b"y\n", 0, 0), (b"n\n", 1, 1), (b"\n", 1, 1)])
def test_at_a_terminal_a_removal_is_asked_about(
    tamis: Tamis, own: Path, monkeypatch: pytest.MonkeyPatch, answer: bytes, status: int, left: int
) -> None:
    monkeypatch.setattr("tamis.cli.commands.remove.is_terminal", lambda stream: stream is sys.stdin)
    outcome = tamis("remove", "notes", stdin=answer)
    assert outcome.status == status
    assert "Remove the corpus 'notes'" in outcome.err
    assert len(tamis("list", "--json").result) == left


def test_a_damaged_corpus_is_listed_as_such_hides_no_other_and_can_be_removed(
    tamis: Tamis, own: Path, tmp_path: Path
) -> None:
    tamis("index", "bad", own, "--no-dense")
    (tmp_path / "home" / "corpora" / "bad" / "corpus.db").write_bytes(b"no database" * 100)
    outcome = tamis("list")
    assert outcome.status == 0
    assert [line.split()[0] for line in outcome.out.splitlines()[1:]] == ["bad", "notes"]
    assert "cannot be used" in outcome.out
    assert "warning: bad: " in outcome.err
    problems = [corpus.get("problem") for corpus in tamis("list", "--json").result]
    assert problems[0]
    assert problems[1] is None
    failed = [check for check in tamis("doctor", "--json").result["checks"] if check["status"] == "failed"]
    assert [check["name"] for check in failed] == ["bad"]
    assert tamis("health", "bad").status == 3
    assert tamis("remove", "bad", "--yes").status == 0
    assert [corpus["name"] for corpus in tamis("list", "--json").result] == ["notes"]
