"""The log of searches, and the gold that eval drafts from it."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

from tamis.library.search_log import FILE_NAME, MAX_BYTES, logged_searches

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.cli.conftest import Tamis


def test_a_gold_file_is_drafted_from_the_searches_that_were_made(
    tamis: Tamis, own: Path, tmp_path: Path
) -> None:
    draft = tmp_path / "draft.jsonl"
    assert tamis("eval", "--make-gold", draft).status == 2
    for query in ("vault", "rotated", "vault", "zyxwv"):
        tamis("search", query, "-m", "lexical")
    assert tamis("eval", "--make-gold", draft, "--json").result == {"path": str(draft), "queries": 2}
    lines = [json.loads(line) for line in draft.read_text().splitlines()]
    assert [line["query"] for line in lines] == [
        "vault",
        "rotated",
    ]  # the most asked first; nothing was found for zyxwv
    assert tamis("eval", draft, "--modes", "lexical", "--json").result["evaluations"][0]["queries"] == 2
    assert tamis("eval", "--make-gold", draft).status == 2  # it may have been edited


def test_the_log_is_the_users_alone_and_can_be_turned_off(
    tamis: Tamis, own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "home" / FILE_NAME
    monkeypatch.setenv("TAMIS_SEARCH_LOG", "false")
    tamis("search", "vault", "-m", "lexical")
    assert not log.exists()
    told = tamis("eval", "--make-gold", tmp_path / "draft.jsonl").err
    assert "hint: [search] log is false in the configuration: set it to true, and then search first" in told
    monkeypatch.delenv("TAMIS_SEARCH_LOG")
    assert "hint: search first" in tamis("eval", "--make-gold", tmp_path / "draft.jsonl").err
    tamis("search", "vault", "-m", "lexical")
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_the_draft_is_the_users_alone_as_the_log_is(tamis: Tamis, own: Path, tmp_path: Path) -> None:
    draft = tmp_path / "draft.jsonl"
    tamis("search", "vault", "-m", "lexical")
    assert tamis("eval", "--make-gold", draft).out == f"{draft}: 1 query to be edited by hand\n"
    assert stat.S_IMODE(draft.stat().st_mode) == 0o600
    outcome = tamis("eval", "--make-gold", tmp_path / "none" / "draft.jsonl")
    assert (outcome.status, outcome.out) == (2, "")
    assert "no folder" in outcome.err


def test_a_damaged_line_of_the_log_does_not_keep_the_rest_from_a_draft(
    tamis: Tamis, own: Path, tmp_path: Path
) -> None:
    log = tmp_path / "home" / FILE_NAME
    for query in ("vault", "rotated"):
        tamis("search", query, "-m", "lexical")
        log.write_text(log.read_text() + "broken\n")
    outcome = tamis("eval", "--make-gold", tmp_path / "draft.jsonl")
    assert outcome.status == 0
    assert "2 queries" in outcome.out
    assert f"warning: {log}:2 is no logged search" in outcome.err
    found = tamis("eval", "--make-gold", tmp_path / "another.jsonl", "--json").data
    assert len(found["warnings"]) == 2
    assert found["result"]["queries"] == 2


def test_a_full_log_makes_room(tamis: Tamis, own: Path, tmp_path: Path) -> None:
    log = tmp_path / "home" / FILE_NAME
    line = json.dumps({"query": "old", "results": ["a.md"]}) + "\n"
    log.write_text(line * (MAX_BYTES // len(line) + 1))
    tamis("search", "vault", "-m", "lexical")
    assert log.stat().st_size < 10_000
    found = logged_searches(tmp_path / "home")
    assert (found[0].query, found[-1].query) == ("old", "vault")


def test_processes_write_whole_lines(tmp_path: Path) -> None:
    script = (
        "import pathlib, sys, types; from tamis.library.search_log import log_search\n"
        "hits = [types.SimpleNamespace(path='p' * 900, heading_path=('h',))] * 10\n"
        "for _ in range(50): log_search(pathlib.Path(sys.argv[1]), 'query', hits)"
    )
    running = [subprocess.Popen([sys.executable, "-c", script, str(tmp_path)]) for _ in range(3)]
    assert [one.wait() for one in running] == [0, 0, 0]
    found = logged_searches(tmp_path)
    assert len(found) == 150
    assert all(len(search.results) == 10 for search in found)


def test_a_log_that_cannot_be_written_does_not_stop_a_search(tamis: Tamis, own: Path, tmp_path: Path) -> None:
    (tmp_path / "home" / FILE_NAME).mkdir()
    outcome = tamis("search", "vault", "-m", "lexical")
    assert outcome.status == 0
    assert "backups.md" in outcome.out
    assert "warning: the search was not logged" in outcome.err
