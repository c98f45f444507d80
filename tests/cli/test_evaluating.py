"""eval."""

from __future__ import annotations

import errno
import json
import math
import os
import re
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from tamis.errors import BackendError
from tamis.library.library import Library
from tamis.rerank import BaseReranker
from tamis.rerank import registry as rerank_registry
from tamis.testing import HashEmbedder
from tamis.types import Relevance

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tamis.types import Candidate
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


def test_an_earlier_report_gives_way_to_a_new_one(
    tamis: Tamis, indexed: Path, gold: Path, tmp_path: Path
) -> None:
    report, link = tmp_path / "report.html", tmp_path / "link.html"
    link.symlink_to(report)
    report.touch()
    for name in ("MRR", "MAP"):
        assert tamis("eval", gold, "--modes", "lexical", "--measures", name, "--html", link).status == 0
    assert "MAP" in report.read_text()
    assert "MRR" not in report.read_text()
    assert link.is_symlink()
    assert not list(tmp_path.glob(".tamis-*"))


@pytest.mark.parametrize("place", ["none/x.html", "folder", "gold.jsonl", "page.html", "gold.jsonl/x.html"])
def test_a_report_that_could_not_or_must_not_be_written_is_refused_before_anything_is_searched(
    tamis: Tamis, indexed: Path, gold: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "page.html").write_text("<!doctype html><title>Mine</title>")
    before = gold.read_text()
    monkeypatch.setattr(Library, "search", unexpected)
    outcome = tamis("eval", gold, "--modes", "lexical", "--html", tmp_path / place, "--json")
    assert (outcome.status, outcome.out, outcome.error["code"]) == (2, "", "SCHEMA_INVALID")
    assert str(tmp_path / place) in outcome.error["message"]
    assert gold.read_text() == before
    assert (tmp_path / "page.html").read_text() == "<!doctype html><title>Mine</title>"


def test_the_result_is_shown_where_its_report_cannot_be_written_after_all(
    tamis: Tamis, indexed: Path, gold: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    report = tmp_path / "report.html"
    tamis("eval", gold, "--modes", "lexical", "--html", report)
    before = report.read_text()
    monkeypatch.setattr(os, "replace", full)
    outcome = tamis("eval", gold, "--modes", "lexical", "--html", report, "--json")
    assert outcome.status == 2
    assert outcome.result["evaluations"][0]["queries"] == 3
    assert "No space left on device" in outcome.error["message"]
    assert report.read_text() == before
    assert not list(tmp_path.glob(".tamis-*"))


def test_a_lone_surrogate_in_a_gold_is_spelled_out_in_the_report(
    tamis: Tamis, indexed: Path, tmp_path: Path
) -> None:
    gold, report = tmp_path / "gold.jsonl", tmp_path / "report.html"
    gold.write_text(json.dumps({"query": "vault \udc80", "relevant": ["backups.md", "b\udcff.md"]}))
    outcome = tamis("eval", gold, "--modes", "lexical", "--html", report)
    assert outcome.status == 0
    assert "worst queries" in outcome.out
    assert r"vault \udc80" in report.read_text(encoding="utf-8")
    assert r"b\udcff.md" in report.read_text(encoding="utf-8")


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
        (("GOLD", "--modes", "lexical", "--fusion", "bogus"), 2),
        (("GOLD", "--queries", "none.tsv"), 2),
    ],
)
def test_what_cannot_be_measured_is_told(
    tamis: Tamis, indexed: Path, gold: Path, arguments: tuple[str, ...], status: int
) -> None:
    given = [str(gold) if argument == "GOLD" else argument for argument in arguments]
    outcome = tamis("eval", *given)
    assert (outcome.status, outcome.out) == (status, "")
    assert outcome.err.startswith("error: ")


def test_the_extra_is_asked_for_before_anything_is_searched(
    tamis: Tamis, indexed: Path, gold: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    monkeypatch.setattr(Library, "search", unexpected)
    outcome = tamis("eval", gold, "--modes", "lexical", "--json")
    assert (outcome.status, outcome.out) == (1, "")
    assert outcome.error["code"] == "EXTRA_MISSING"
    assert "pip install 'tamis[eval]'" in outcome.error["hint"]


def unexpected(*_: object, **__: object) -> None:
    raise AssertionError("nothing should have been searched")


def test_a_query_that_no_search_takes_is_named_before_anything_is_searched(
    tamis: Tamis, indexed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "gold.jsonl"
    lines = [*GOLD, {"query": "vault " * 200, "relevant": ["keys.md"], "id": "long"}]
    path.write_text("\n".join(map(json.dumps, lines)))
    monkeypatch.setattr(Library, "search", unexpected)
    outcome = tamis("eval", path, "--modes", "lexical", "--json")
    assert (outcome.status, outcome.out) == (2, "")
    assert "'long' has 1200 characters" in outcome.error["message"]
    assert "1000" in outcome.error["hint"]


class Broken(BaseReranker):
    key = "broken"

    def rerank(self, *_: object) -> list[Relevance]:
        raise RuntimeError("no such model")


class Nonsense(BaseReranker):
    key = "nonsense"

    def rerank(self, query: str, candidates: Sequence[Candidate], *_: object) -> list[Relevance]:
        return [Relevance(one.id, math.nan) for one in candidates]


class Slow(BaseReranker):
    key = "slow"
    over = threading.Event()

    def rerank(self, *_: object) -> list[Relevance]:
        self.over.wait(30)
        return []


@pytest.fixture
def scopes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A configuration with scopes, one of them with a reranker that costs more than it may."""
    for driver in (Broken, Nonsense, Slow):
        monkeypatch.setitem(rerank_registry._registered, driver.key, driver)
    monkeypatch.setenv("COHERE_API_KEY", "none")
    file = tmp_path / "tamis.toml"
    file.write_text(
        """
        [scope.plain]
        corpora = ["notes"]
        [scope.rust]
        corpora = ["notes"]
        filter = { path_glob = "**/*.rs" }
        [scope.broken]
        corpora = ["notes"]
        reranker = { driver = "broken" }
        [scope.nonsense]
        corpora = ["notes"]
        reranker = { driver = "nonsense" }
        [scope.slow]
        corpora = ["notes"]
        reranker = { driver = "slow", config = { deadline = 0.05 } }
        [scope.dear]
        corpora = ["notes"]
        reranker = { driver = "cohere" }
        reranker_budget_cents = 0
        """
    )
    monkeypatch.setenv("TAMIS_CONFIG", str(file))
    Slow.over.clear()
    yield
    Slow.over.set()


@pytest.mark.parametrize("scope", ["broken", "nonsense", "slow", "dear"])
def test_a_set_up_that_never_ran_is_marked_and_not_compared(
    tamis: Tamis, indexed: Path, gold: Path, scopes: None, tmp_path: Path, scope: str
) -> None:
    report = tmp_path / "report.html"
    asked = ("eval", gold, "--scope", f"plain,{scope}", "--modes", "lexical", "--measures", "MRR")
    outcome = tamis(*asked, "--html", report)
    assert outcome.status == 0
    rows = outcome.out.splitlines()
    (row,) = [at for at, line in enumerate(rows) if line.startswith(f"{scope} lexical  ")]
    assert "3 of 3 not reranked" in rows[row + 1]
    assert "p = " not in outcome.out
    assert max(map(len, rows)) <= 80
    warnings = [line for line in outcome.err.splitlines() if line.startswith("warning:")]
    assert len(warnings) == 1
    assert f"{scope} lexical: 3 of 3 not reranked: " in warnings[0]
    assert "3 of 3 not reranked" in report.read_text()

    found = tamis(*asked, "--json").data
    assert (found["degraded"], found["degrade_reason"]) == (True, f"{scope} lexical: 3 of 3 not reranked")
    assert [run["degraded"] for run in found["result"]["evaluations"]] == [0, 3]
    measured = found["result"]["comparisons"][0]["measures"]["MRR"]
    assert (measured["p_value"], measured["interval"], measured["ties"]) == (None, None, 3)


def test_a_set_up_whose_meaning_side_never_ran_is_marked(
    tamis: Tamis, notes: Path, gold: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tamis("index", "notes", notes, "--embedder", "hash", "--no-dense")
    assert "3 of 3 by words only" in tamis("eval", gold, "--modes", "lexical,hybrid").out
    assert tamis("embed", "notes").status == 0
    assert "by words only" not in tamis("eval", gold, "--modes", "lexical,hybrid").out

    def unreachable(*_: object) -> None:
        raise BackendError("the server is gone")

    monkeypatch.setattr(HashEmbedder, "embed_query", unreachable)
    assert "3 of 3 by words only" in tamis("eval", gold, "--modes", "lexical,hybrid").out


def test_one_corpus_of_several_without_vectors_is_warned_of_and_the_set_ups_are_compared(
    tamis: Tamis, own: Path, gold: Path
) -> None:
    tamis("index", "rust", own / "deep", "--embedder", "hash", "--no-dense")
    outcome = tamis("eval", gold, "--modes", "lexical,hybrid", "--measures", "MRR")
    assert "by words only" not in outcome.out + outcome.err.replace("by its words only", "")
    assert "p = " in outcome.out
    assert "hybrid: rust: 0% of the corpus has vectors" in outcome.err


@pytest.fixture
def many(tamis: Tamis, notes: Path) -> None:
    """50 files of three passages each that speak of ferries, and one that does not."""
    for number in range(50):
        parts = [
            f"## Part {part}\n\nThe ferry number {number} {part}. {'It goes on. ' * 50}" for part in range(3)
        ]
        (notes / f"ferry{number:02}.md").write_text("\n\n".join(parts))
    (notes / "boats.md").write_text("# Boats\n\nNothing that swims.\n")
    assert tamis("index", "notes", notes, "--embedder", "hash", "--no-dense").status == 0


def test_a_measure_that_looks_deeper_than_searches_do_is_told_of(
    tamis: Tamis, many: None, tmp_path: Path
) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text(json.dumps({"query": "ferry", "relevant": ["boats.md"]}))
    told = tamis("eval", gold, "--modes", "lexical").err
    # 100 passages, of which three are one file's, are those of 34 to 50 files.
    assert (found := re.search(r"lexical: Recall@100 looked at (\d+) documents in 1 of 1 searches", told))
    assert 34 <= int(found[1]) <= 50
    assert tamis("eval", gold, "--modes", "lexical", "--measures", "nDCG@10").err == ""
    gold.write_text(json.dumps({"query": "ferry", "relevant": ["boats.md#Boats"]}))
    told = tamis("eval", gold, "--modes", "lexical", "--measures", "Recall@1000,Recall@100").err
    assert "lexical: Recall@1000 looked at 100 passages in 1 of 1 searches" in told


def test_a_measure_without_a_cutoff_looks_as_deep_as_there_is(
    tamis: Tamis, many: None, tmp_path: Path
) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text(json.dumps({"query": "ferry", "relevant": ["boats.md#Boats"]}))
    told = tamis("eval", gold, "--modes", "lexical", "--measures", "nDCG,MRR,nDCG@10").err
    assert "lexical: nDCG, MRR looked at 100 passages in 1 of 1 searches" in told
    # Where one of two is found, the first relevant result is known: there is nothing that MRR would lack.
    gold.write_text(json.dumps({"query": "ferry", "relevant": ["boats.md#Boats", '"The ferry number 7 0"']}))
    told = tamis("eval", gold, "--modes", "lexical", "--measures", "nDCG,MRR").err
    assert "lexical: nDCG looked at 100 passages in 1 of 1 searches" in told


def test_at_which_level_was_judged_is_said_alike_everywhere(
    tamis: Tamis, notes: Path, tmp_path: Path
) -> None:
    """A name with # is taken for a heading until a file turns out to have it."""
    (notes / "c#.md").write_text("# Sharp\n\nA language.\n")
    tamis("index", "notes", notes, "--no-dense")
    gold, page = tmp_path / "gold.jsonl", tmp_path / "page.html"
    gold.write_text(json.dumps({"query": "language", "relevant": ["c#.md"]}))
    shown = tamis("eval", gold, "--modes", "lexical", "--html", page).out
    assert "Judged: document level." in shown
    assert "1 judged query, document level." in page.read_text()
    gold.write_text(json.dumps({"query": "language", "relevant": ["c#.md#Sharp"]}))
    (measured,) = tamis("eval", gold, "--modes", "lexical", "--json").result["evaluations"]
    assert measured["level"] == "passage level"


def test_searches_that_found_all_there_is_are_deep_enough(tamis: Tamis, many: None, tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    lines = [
        {"query": "swims ferry", "relevant": ["boats.md"]},
        {"query": "vault", "relevant": ["ferry01.md"]},
    ]
    gold.write_text("\n".join(map(json.dumps, lines)))
    assert tamis("eval", gold, "--modes", "lexical", "--measures", "Recall@1000").err == ""


def test_json_names_the_model_as_a_search_does(tamis: Tamis, indexed: Path, gold: Path) -> None:
    searched = tamis("search", "vault", "--json").data
    for modes in ("hybrid", "lexical,semantic"):
        measured = tamis("eval", gold, "--modes", modes, "--json").data
        assert [measured[name] for name in ("tier_used", "model")] == ["embed", searched["model"]]
    assert tamis("eval", gold, "--modes", "lexical", "--json").data["model"] is None


def test_scopes_are_compared_under_their_names(tamis: Tamis, indexed: Path, gold: Path, scopes: None) -> None:
    names = ["plain", "rust"]
    for given in (("--scope", "plain,rust"), ("--scope", "plain", "--scope", "rust")):
        runs = tamis("eval", gold, *given, "--measures", "Success@1", "--json").result["evaluations"]
        assert [run["name"] for run in runs] == names
    # Of the three queries' documents one is Rust, and its query has words of another alone.
    runs = tamis("eval", gold, *given, "--modes", "lexical", "--measures", "Success@1", "--json").result
    assert [run["name"] for run in runs["evaluations"]] == ["plain lexical", "rust lexical"]
    assert [run["means"]["Success@1"] for run in runs["evaluations"]] == [pytest.approx(2 / 3), 0]
    one = tamis("eval", gold, "--scope", "plain", "--json").result["evaluations"]
    assert [run["name"] for run in one] == ["plain"]


def test_a_scope_that_is_not_there_is_refused_before_anything_is_searched(
    tamis: Tamis, indexed: Path, gold: Path, scopes: None
) -> None:
    outcome = tamis("eval", gold, "--scope", "plain,plane")
    assert (outcome.status, outcome.out) == (2, "")
    assert "did you mean 'plain'?" in outcome.err


def test_set_ups_that_search_other_corpora_are_told_apart(
    tamis: Tamis, own: Path, gold: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tamis("index", "rust", own / "deep", "--embedder", "hash")
    file = tmp_path / "tamis.toml"
    file.write_text('[scope.all]\ncorpora = ["notes", "rust"]\n[scope.rust]\ncorpora = ["rust"]\n')
    monkeypatch.setenv("TAMIS_CONFIG", str(file))
    outcome = tamis("eval", gold, "--scope", "all,rust")
    assert outcome.status == 0
    assert "warning: rust: 2 of 3 targets are not in rust" in outcome.err
    assert "warning: all" not in outcome.err
