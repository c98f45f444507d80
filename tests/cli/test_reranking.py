"""rerank, rerankers and costs."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tamis.rerank import Charge, CostLedger

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.cli.conftest import Tamis

MEMORIES = [
    {"id": "1", "title": "Cats", "content": "They sleep."},
    {"id": "2", "title": "Security fixes", "content": "fixes of security holes", "tags": ["ops"]},
    {"id": "3", "title": "Fixes", "content": "of the roof"},
]
LINES = "\n".join(map(json.dumps, MEMORIES)).encode()


def test_memories_from_stdin_come_back_by_the_seed_s_scores(tamis: Tamis) -> None:
    result = tamis("rerank", "security fixes", "-", "--json", stdin=LINES).result
    # Title match 10, two terms in the title 4, two in the content 2; then one term in the title 2; then nothing.
    assert [(m["id"], m["rerank_score"]) for m in result["memories"]] == [("2", 16), ("3", 2), ("1", 0)]
    assert [(m["rank"], m["original_rank"]) for m in result["memories"]] == [(1, 2), (2, 3), (3, 1)]
    assert result["memories"][0]["tags"] == ["ops"]
    assert (result["stats"]["input"], result["stats"]["terms"]) == (3, ["security", "fixes"])


def test_json_of_every_shape_is_taken(tamis: Tamis) -> None:
    for shape in (MEMORIES, {"memories": MEMORIES}, {"result": {"hits": MEMORIES}}):
        got = tamis("rerank", "roof", "-", "-k", "1", "--json", stdin=json.dumps(shape).encode()).result
        assert got["memories"][0]["id"] == "3"
    got = tamis("rerank", "roof", "-", "--json", stdin=b'["a roof", "a cat"]').result
    assert got["memories"][0]["content"] == "a roof"


def test_five_are_kept_unless_it_is_said_otherwise(tamis: Tamis) -> None:
    many = json.dumps([f"text {n}" for n in range(9)]).encode()
    assert len(tamis("rerank", "text", "-", "--json", stdin=many).result["memories"]) == 5
    assert len(tamis("rerank", "text", "-", "-k", "7", "--json", stdin=many).result["memories"]) == 7


def test_json_that_is_none_is_told_by_its_line(tamis: Tamis) -> None:
    outcome = tamis("rerank", "q", "-", stdin=b'{"content": "a"}\n{oops\n')
    assert outcome.status == 2
    assert "stdin:2 is not JSON" in outcome.err
    assert "stdin[0] has no content" in tamis("rerank", "q", "-", stdin=b'[{"title": "a"}]').err


def test_the_documents_of_a_corpus_are_memories(tamis: Tamis, indexed: Path) -> None:
    result = tamis("rerank", "vault backups", "-c", "notes", "-k", "1", "--json").result
    memory = result["memories"][0]
    assert (memory["path"], memory["title"]) == (str(indexed / "backups.md"), "Backups")
    assert memory["content"].startswith("# Backups")
    assert datetime.fromisoformat(memory["date"]).tzinfo is not None
    # Without files and corpora, all corpora.
    all_of_them = tamis("rerank", "vault backups", "-k", "1", "--json").result["memories"]
    assert [found["id"] for found in all_of_them] == [memory["id"]]
    assert tamis("rerank", "q", "-c", "nope").status == 3


def test_files_and_folders_are_memories_and_so_is_each_line_of_jsonl(
    tamis: Tamis, notes: Path, tmp_path: Path
) -> None:
    (tmp_path / "more.jsonl").write_bytes(LINES)
    result = tamis("rerank", "ninety days", notes, tmp_path / "more.jsonl", "-k", "9", "--json").result
    assert result["memories"][0]["path"] == str(notes / "keys.md")
    assert result["stats"]["input"] == 6
    assert tamis("rerank", "q", tmp_path / "nope.md").status == 1


def test_another_driver_ranks_and_one_that_is_not_there_is_an_error(tamis: Tamis) -> None:
    result = tamis("rerank", "security", "-", "--driver", "noop", "--json", stdin=LINES).result
    assert [memory["id"] for memory in result["memories"]] == ["1", "2", "3"]
    assert result["reranker"] == "noop"
    outcome = tamis("rerank", "security", "-", "--driver", "keywrd", stdin=LINES)
    assert (outcome.status, "did you mean 'keyword'?" in outcome.err) == (2, True)


def test_people_see_rank_title_score_and_what_matches(tamis: Tamis) -> None:
    outcome = tamis("rerank", "security fixes", "-", "-k", "1", stdin=LINES)
    assert outcome.out == "1. Security fixes  16\n   2\n   │ fixes of security holes\n"
    more = tamis("rerank", "security fixes", "-", "-k", "1", "-v", "-s", stdin=LINES).out
    assert "was 2 · #ops" in more
    assert "1 of 3" in more
    assert max(map(len, more.splitlines())) <= 80


def test_what_there_is_to_rerank_with_is_told_without_a_query(tamis: Tamis, indexed: Path) -> None:
    result = tamis("rerank", "-s", "--json").result
    assert (result["corpora"], result["documents"], result["charged_calls"]) == (1, 3, 0)
    assert "rerankers" in tamis("rerank", "-s").out
    assert tamis("rerank").status == 2


def test_the_seed_s_verbs_compress_and_refine(tamis: Tamis, indexed: Path, notes: Path) -> None:
    compressed = tamis("rerank", "compress", notes / "keys.md", "-t", "500", "--json").result
    assert "ninety days" in compressed["text"]
    refined = tamis("rerank", "refine", "ninety days", "-k", "1", "-t", "300", "--json").result
    assert (refined["stats"]["input"], refined["stats"]["output"]) == (3, 1)
    assert refined["stats"]["tokens_after"] <= 300
    assert refined["memories"][0]["path"] == str(indexed / "keys.md")
    same = tamis("rerank", "ninety days", "-k", "1", "-t", "300", "--json").result
    assert same["text"] == refined["text"]


def test_rerankers_are_listed_by_name(tamis: Tamis) -> None:
    drivers = tamis("rerankers", "--json").result
    assert {"keyword", "cross_encoder", "llm_judge", "noop"} <= {driver["key"] for driver in drivers}
    assert [driver["name"].casefold() for driver in drivers] == sorted(d["name"].casefold() for d in drivers)
    assert set(drivers[0]) >= {"key", "name", "version", "has_cost", "installed"}
    text = tamis("rerankers").out
    assert text.splitlines()[0].startswith("KEY")
    assert max(map(len, text.splitlines())) <= 80


def test_costs_are_summed_by_what_is_asked_for(
    tamis: Tamis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = tamis("costs")
    assert (empty.status, empty.out, empty.err) == (0, "", "nothing was charged\n")
    ledger = CostLedger(tmp_path / "home")
    for driver, cents, day in (("cohere", 0.25, 1), ("cohere", 0.5, 2), ("voyage", 1.0, 2)):
        ledger.record(Charge(driver, "m", cents, "work", datetime(2026, 1, day, tzinfo=UTC)))
    by_driver = tamis("costs", "--json").result
    assert [(item["driver"], item["calls"], item["cents"]) for item in by_driver] == [
        ("cohere", 2, 0.75),
        ("voyage", 1, 1.0),
    ]
    by_day = tamis("costs", "--by", "day", "--since", "2026-01-02", "--json").result
    assert [(item["day"], item["cents"]) for item in by_day] == [("2026-01-02", 1.5)]
    assert tamis("costs").out.splitlines()[-1].split() == ["total", "3", "1.7500"]
    assert tamis("costs", "--since", "soon").status == 2
