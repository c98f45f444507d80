"""What the targets of a gold mean in the corpora that are searched, from the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Tamis

FILES = {
    "README.md": "# Top\nThe network of the project.\n",
    "sub/README.md": "# C# clients\nThe network costs egress from London. Retention is thirty days.\n",
    "x/keys.md": "# Keys\nkeys for the vault\n",
    "y/keys.md": "# Keys\nkeys for the door\n",
    "c#notes.md": "# Notes\nsharp things\n",
}


@pytest.fixture
def corpus(tamis: Tamis, tmp_path: Path) -> Path:
    folder = tmp_path / "w"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    assert tamis("index", "w", folder, "--no-dense").status == 0
    return folder


def measured(tamis: Tamis, folder: Path, *lines: dict[str, Any]) -> tuple[list[dict[str, Any]], list[str]]:
    gold = folder.parent / "gold.jsonl"
    gold.write_text("\n".join(map(json.dumps, lines)))
    outcome = tamis("eval", gold, "-c", "w", "--modes", "lexical", "--json")
    assert outcome.status == 0
    return outcome.result["evaluations"][0]["per_query"], json.loads(outcome.out)["warnings"]


def test_two_names_of_a_file_that_is_not_found_are_one_target(tamis: Tamis, corpus: Path) -> None:
    names = [str(corpus / "sub/README.md"), "../w/./sub/README.md", "README.md"]
    (query,), warnings = measured(tamis, corpus, {"query": "project", "relevant": names})
    assert (query["relevant"], query["found_ranks"]) == (2, [1])
    assert query["values"]["Recall@10"] == 0.5
    assert warnings == []


def test_a_name_of_several_files_is_told_with_their_number(tamis: Tamis, corpus: Path) -> None:
    (query,), warnings = measured(tamis, corpus, {"query": "keys", "relevant": ["keys.md", "README.md"]})
    assert warnings == ["1 of 2 targets may mean several files or headings, any of which counts: keys.md (2)"]
    assert query["found_ranks"] == [1]


def test_a_quotation_that_is_nowhere_is_told_and_never_found(tamis: Tamis, corpus: Path) -> None:
    lines = [
        {"query": "egress London", "relevant": ['"Oslo"', '"30 days"']},
        {"query": "keys", "relevant": ["x/keys.md"]},
    ]
    queries, (warning,) = measured(tamis, corpus, *lines)
    assert queries[0]["found_ranks"] == []
    assert warning.startswith("2 of 3 targets are not in w and count as not found")


def test_a_long_quotation_is_not_shown_whole(tamis: Tamis, corpus: Path) -> None:
    lines = [{"query": "keys", "relevant": ["x/keys.md", f'"{"nothing " * 1000}"']}]
    _, (warning,) = measured(tamis, corpus, *lines)
    assert len(warning) < 300


def test_a_draft_with_a_mark_in_its_heading_is_found(tamis: Tamis, corpus: Path, tmp_path: Path) -> None:
    assert tamis("search", "egress London", "-c", "w", "-m", "lexical").status == 0
    draft = tmp_path / "draft.jsonl"
    assert tamis("eval", "--make-gold", draft).status == 0
    assert "README.md#C# clients" in draft.read_text()
    outcome = tamis("eval", draft, "-c", "w", "--modes", "lexical", "--json")
    assert outcome.result["evaluations"][0]["means"]["nDCG@10"] == 1


def test_a_query_is_worth_the_same_whatever_other_queries_ask_for(tamis: Tamis, corpus: Path) -> None:
    (corpus / "long.md").write_text("# One\nsharp sharp\n\n# Two\nsharp sharp\n\n# Three\nsharp sharp\n")
    assert tamis("index", "w", corpus, "--no-dense").status == 0
    line = {"query": "sharp", "relevant": ["c#notes.md"]}
    (alone,), _ = measured(tamis, corpus, line)
    (among, other), _ = measured(tamis, corpus, line, {"query": "sharp two", "relevant": ["long.md#Two"]})
    assert alone["values"] == among["values"]
    assert alone["found_ranks"] == [2]
    assert other["found_ranks"] == [1]


@pytest.mark.parametrize(
    "target", ["gone.md", "keys.md#Backups", '"words that no document has in it"', "notes:999999"]
)
def test_a_target_that_is_not_in_the_corpus_is_told_of(
    tamis: Tamis, indexed: Path, tmp_path: Path, target: str
) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps({"query": "vault", "relevant": ["backups.md", target]}))
    outcome = tamis("eval", path, "--modes", "lexical")
    assert outcome.status == 0
    assert outcome.out.startswith("1 QUERY ")
    assert f"1 of 2 targets is not in notes and counts as not found: {target}" in outcome.err
    result = tamis("eval", path, "--modes", "lexical", "--json").result
    assert (result["targets"], result["absent_targets"]) == (2, [target])

    path.write_text(json.dumps({"query": "vault", "relevant": [target]}))
    outcome = tamis("eval", path, "--modes", "lexical", "--json")
    assert (outcome.status, outcome.out) == (1, "")
    assert outcome.error["code"] == "DOCUMENT_NOT_FOUND"
    assert target in outcome.error["message"]
    assert outcome.error["hint"]


def test_targets_that_are_there_in_any_form_bring_no_warning(
    tamis: Tamis, indexed: Path, tmp_path: Path
) -> None:
    hit = tamis("search", "vault", "-m", "lexical", "--json").result["hits"][0]
    relevant = ["backups.md", "keys.md#rotation", '"every ninety days"', hit["id"], hit["path"]]
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps({"query": "vault", "relevant": relevant}))
    assert tamis("eval", path, "--modes", "lexical").err == ""


def test_ids_of_a_collection_that_match_no_path_are_told_of(
    tamis: Tamis, indexed: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": "vault"}\n')
    ids = [f"MED-{n}" for n in range(9)]
    lines = "".join(f"q1\t{each}\t1\n" for each in ids)
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n" + lines)
    outcome = tamis("eval", folder)
    assert outcome.status == 1
    assert "none of the 9 targets is in notes: MED-0, MED-1, MED-2, MED-3, MED-4 and 4 more" in outcome.err
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\tkeys\t1\n" + lines)
    assert "9 of 10 targets are not in notes" in tamis("eval", folder).err
