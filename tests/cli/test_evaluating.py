"""eval, and the log of searches that it drafts from."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tamis.library.search_log import FILE_NAME, MAX_BYTES, logged_searches

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Tamis

GOLD = [
    {"query": "rotated ninety days", "relevant": ["keys.md"]},
    {"query": "vault", "relevant": ["backups.md"]},
    {"query": "backups kept", "relevant": ["deep/tokio.rs"]},
]


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.jsonl"
    path.write_text("\n".join(map(json.dumps, GOLD)))
    return path


def test_searches_are_measured_against_the_gold(tamis: Tamis, indexed: Path, gold: Path) -> None:
    run = tamis("eval", gold, "-c", "notes", "--modes", "lexical", "--json").result["evaluations"][0]
    # Two of three queries have their document first, the third has words of another alone.
    assert run["queries"] == 3
    assert run["means"]["Success@1"] == pytest.approx(2 / 3)
    assert run["means"]["MRR@10"] == pytest.approx(2 / 3)
    assert [query["found_ranks"] for query in run["per_query"]] == [[1], [1], []]
    assert run["latency_ms"]["median"] > 0


def test_set_ups_are_compared_with_the_first(tamis: Tamis, indexed: Path, gold: Path) -> None:
    outcome = tamis(
        "eval", gold, "--modes", "lexical,title_path", "--rerank", "keyword", "--measures", "MRR", "--json"
    )
    assert outcome.err == ""
    result = outcome.result
    names = [run["name"] for run in result["evaluations"]]
    assert names == ["lexical", "title_path", "lexical + keyword", "title_path + keyword"]
    assert [one["candidate"] for one in result["comparisons"]] == names[1:]
    # No title or heading has the vault; that of the rotation answers its query, and the third is lost on both.
    compared = result["comparisons"][0]["measures"]["MRR"]
    assert (compared["wins"], compared["losses"], compared["ties"]) == (0, 1, 2)
    assert 0 < result["comparisons"][0]["measures"]["MRR"]["p_value"] <= 1


def test_people_see_means_differences_and_the_worst_queries_in_80_columns(
    tamis: Tamis, indexed: Path, gold: Path
) -> None:
    outcome = tamis("eval", gold, "--modes", "lexical,fact,title_path", "--fusion", "rrf,default")
    assert outcome.status == 0
    assert "worst queries of title_path, by nDCG@10" in outcome.out
    assert "p = " in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 80
    every = tamis("eval", gold, "--modes", "lexical", "--per-query").out
    assert all(line["query"] in every for line in GOLD)


def test_the_report_is_one_file(tamis: Tamis, indexed: Path, gold: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    assert tamis("eval", gold, "--modes", "lexical,title_path", "--html", report).status == 0
    assert report.read_text().startswith("<!doctype html>")
    assert "http://" not in report.read_text().replace("http://www.w3.org", "")


def test_a_beir_folder_is_a_gold(tamis: Tamis, indexed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": "vault"}\n')
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\tbackups\t1\n")
    run = tamis("eval", folder, "--modes", "lexical", "--json").result["evaluations"][0]
    assert run["means"]["Success@1"] == 1


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ((), 2),
        (("nope.jsonl",), 1),
        (("GOLD", "-c", "nope"), 3),
        (("GOLD", "--modes", "telepathy"), 2),
        (("GOLD", "--measures", "BLEU"), 2),
        (("GOLD", "--rerank", "keywrd"), 2),
    ],
)
def test_what_cannot_be_measured_is_told(
    tamis: Tamis, indexed: Path, gold: Path, arguments: tuple[str, ...], status: int
) -> None:
    given = [str(gold) if argument == "GOLD" else argument for argument in arguments]
    outcome = tamis("eval", *given)
    assert (outcome.status, outcome.out) == (status, "")
    assert outcome.err.startswith("error: ")


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
    monkeypatch.delenv("TAMIS_SEARCH_LOG")
    tamis("search", "vault", "-m", "lexical")
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


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
