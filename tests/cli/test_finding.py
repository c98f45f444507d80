"""search and get."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tamis.errors import BackendError
from tamis.testing import HashEmbedder

if TYPE_CHECKING:
    from tests.cli.conftest import Tamis


def test_a_search_prints_where_the_answer_is(tamis: Tamis, indexed: Path) -> None:
    outcome = tamis("search", "how are keys rotated?")
    assert outcome.status == 0
    first = outcome.out.splitlines()
    assert first[0].startswith("1. ")
    assert "notes/keys.md:" in first[0]
    assert first[1].strip().startswith("Keys")
    assert outcome.err == ""


def test_a_search_in_json_is_an_envelope(tamis: Tamis, indexed: Path) -> None:
    data = tamis("search", "keys", "-k", "1", "-m", "lexical", "--json").data
    assert data["model"] is None
    assert data["warnings"] == []
    result = data["result"]
    assert (result["mode"], result["corpus_name"], len(result["hits"])) == ("lexical", "notes", 1)
    assert result["hits"][0]["path"] == str(indexed / "keys.md")
    assert "text" not in result["hits"][0]
    assert tamis("search", "keys", "-k", "1", "--text", "--json").result["hits"][0]["text"]


def test_options_of_every_command_stand_before_or_after_its_name(tamis: Tamis, indexed: Path) -> None:
    assert tamis("--json", "search", "keys").result["hits"]
    assert tamis("search", "keys", "--json").result["hits"]


def test_filters_reach_the_search(tamis: Tamis, indexed: Path) -> None:
    result = tamis("search", "task", "--path-glob", "**/*.rs", "--json").result
    assert {Path(hit["path"]).name for hit in result["hits"]} == {"tokio.rs"}
    assert result["filter_applied"]["path_glob"] == "**/*.rs"
    assert (
        tamis("search", "keys", "--since", "2999-01-01", "--json").result["reason"]
        == "the filter keeps nothing"
    )


def test_a_search_that_finds_nothing_is_a_success(tamis: Tamis, indexed: Path) -> None:
    outcome = tamis("search", "-m", "lexical", "zyxwv")
    assert (outcome.status, outcome.out) == (0, "")
    assert outcome.err == "no hits: nothing matches\n"
    blank = tamis("search", " ", "--json")
    assert blank.status == 0
    assert (blank.result["weak"], blank.result["hits"]) == (True, [])


def test_a_query_comes_from_stdin(tamis: Tamis, indexed: Path) -> None:
    outcome = tamis("search", "-", "-m", "lexical", "--json", stdin=b"vault\n")
    assert Path(outcome.result["hits"][0]["path"]).name == "backups.md"


def test_several_corpora_are_searched_together_unless_one_is_named(
    tamis: Tamis, own: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.md"
    other.write_text("# Other\n\nKeys hang in the hall.\n")
    tamis("index", "other", other, "--embedder", "hash")
    both = tamis("search", "keys", "--json").result
    assert {hit["corpus"] for hit in both["hits"]} == {"notes", "other"}
    assert "[other] " in tamis("search", "keys").out
    one = tamis("search", "keys", "-c", "other", "--json").result
    assert {hit["corpus"] for hit in one["hits"]} == {"other"}


def test_scores_are_explained_when_asked(tamis: Tamis, indexed: Path) -> None:
    assert "score: " in tamis("search", "keys", "--explain-scores").out
    assert "score: " not in tamis("search", "keys").out


def test_a_corpus_without_vectors_is_searched_by_words_and_says_so(tamis: Tamis, notes: Path) -> None:
    tamis("index", "notes", notes, "--no-dense")
    outcome = tamis("search", "keys")
    assert "keys.md" in outcome.out
    assert "warning: 0% of the corpus has vectors" in outcome.err
    assert tamis("search", "keys", "-q").err == ""
    assert tamis("search", "keys", "--json").data["warnings"]


def test_get_prints_a_document_lines_of_it_or_a_hit(tamis: Tamis, indexed: Path) -> None:
    text = (indexed / "keys.md").read_text()
    assert tamis("get", indexed / "keys.md").out.strip() == text.strip()
    assert tamis("get", "keys.md", "--lines", "5:6").out == "".join(text.splitlines(True)[4:6])
    assert tamis("get", "keys.md", "--lines", "3").out == "## Rotation\n"
    hit = tamis("search", "rotated", "-m", "lexical", "--json").result["hits"][0]
    assert "ninety days" in tamis("get", hit["id"]).out
    passage = tamis("get", hit["id"], "--json").result
    assert (passage["path"], passage["lines"]) == (hit["path"], hit["lines"])


def test_a_place_that_search_printed_can_be_got(tamis: Tamis, indexed: Path) -> None:
    place = tamis("search", "ninety", "-m", "lexical").out.split()[1]
    assert "ninety" in tamis("get", place).out


def test_a_file_of_this_folder_comes_before_one_that_ends_alike(
    tamis: Tamis, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (own / "deep" / "keys.md").write_text("# Deep keys\n")
    tamis("refresh", "notes")
    monkeypatch.chdir(own / "deep")
    assert tamis("get", "keys.md").out == "# Deep keys\n"


def test_a_document_is_found_in_the_corpus_that_has_it(tamis: Tamis, own: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.md"
    other.write_text("# Other\n")
    tamis("index", "other", other, own / "keys.md", "--no-dense")
    assert tamis("get", other).out == "# Other\n"
    assert "vault" in tamis("get", "backups.md").out
    both = tamis("get", "keys.md", "--json")
    assert (both.status, both.error["hint"]) == (2, "say which with -c: notes, other")
    assert "ninety" in tamis("get", "keys.md", "-c", "other").out
    assert tamis("get", "nothing.md", "--json").error["hint"] == "looked in: notes, other"
    assert tamis("get", "notes:999", "--json").error["hint"] == "search again for its new id"


def test_get_says_when_the_disk_has_moved_on(tamis: Tamis, own: Path) -> None:
    (own / "keys.md").write_text("# Other\n")
    outcome = tamis("get", own / "keys.md")
    assert "ninety days" in outcome.out
    assert "warning: the file on disk has changed" in outcome.err


def test_a_document_that_is_not_there_is_a_failure_and_a_range_that_is_none_wrong_usage(
    tamis: Tamis, indexed: Path
) -> None:
    missing = tamis("get", "nothing.md", "--json")
    assert (missing.status, missing.error["code"]) == (1, "DOCUMENT_NOT_FOUND")
    assert tamis("get", "keys.md", "--lines", "a:b").status == 2


SCOPE = """
[scope.work]
corpora = ["notes"]
min_score = 0.01
reranker = { driver = "keyword", input_top_n = 30 }
"""


def test_a_scope_of_the_configuration_says_what_is_searched_and_reranked(
    tamis: Tamis, indexed: Path, tmp_path: Path
) -> None:
    config = tmp_path / "tamis.toml"
    config.write_text(SCOPE)
    result = tamis("search", "keys", "--config", config, "--scope", "work", "--json").result
    assert result["reranker"] == "keyword"
    assert result["hits"][0]["rerank_score"] >= 10
    assert ", reranked " in tamis("search", "keys", "--config", config, "--scope", "work").out
    unknown = tamis("search", "keys", "--config", config, "--scope", "wrk", "--json")
    assert (unknown.status, unknown.error["code"]) == (2, "CONFIG_INVALID")


def test_a_dry_run_shows_the_plan_and_searches_nothing(tamis: Tamis, indexed: Path, tmp_path: Path) -> None:
    config = tmp_path / "tamis.toml"
    config.write_text(SCOPE)
    arguments = ("search", "keys", "--config", config, "--scope", "work", "--dry-run", "--budget-cents", "2")
    shown = {line.split()[0]: line.split(None, 1)[1] for line in tamis(*arguments).out.splitlines()}
    assert shown == {
        "query": "keys",
        "scope": "work",
        "corpora": "notes",
        "mode": "hybrid",
        "fusion": "default",
        "min": "score  0.01",
        "hits": "10",
        "rerank": "keyword: 30 candidates in, 20 out",
        "blend": "0 of the score is the first stage's",
        "deadline": "10 s",
        "cost": "none",
    }
    outline = tamis(*arguments, "--json").result
    assert (outline["candidates"], outline["rerank"]["candidates"], outline["rerank"]["estimated_cents"]) == (
        30,
        30,
        0,
    )
    assert outline["request"]["budget_cents"] == 2


def test_a_reranker_is_chosen_and_told_by_options(tamis: Tamis, indexed: Path) -> None:
    arguments = ("search", "keys", "--rerank", "recency", "--rerank-config", "blend=0")
    assert tamis(*arguments, "--json").result["reranker"] == "recency"
    assert tamis("search", "keys", "--rerank-config", "blend").status == 2
    assert tamis("search", "keys", "--rerank", "nonsense").status == 2
    assert tamis("search", "keys", "--rerank", "keyword", "--budget-cents", "-1").status == 2


def test_scores_explained_tell_the_place_before_and_the_blend(tamis: Tamis, indexed: Path) -> None:
    arguments = ("search", "keys", "--rerank", "keyword", "--rerank-config", "blend=0.25", "--explain-scores")
    shown = tamis(*arguments).out
    assert "rerank\u00a0" in shown
    assert "was\u00a01." in shown
    assert "reranked: 0.25 of the first stage's score and 0.75 of the reranker's" in shown


@pytest.mark.parametrize("option", ["--path-glob", "--since"])
def test_an_empty_filter_is_refused(option: str, tamis: Tamis, indexed: Path) -> None:
    for command in ("search", "refine"):
        done = tamis(command, "keys", option, "", "--json")
        assert (done.status, done.error["code"]) == (2, "FILTER_INVALID")


def test_what_several_corpora_fell_short_of_is_said_even_when_quiet(
    tamis: Tamis, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tamis("index", "deep", own / "deep", "--embedder", "hash")

    def unreachable(*_: object) -> None:
        raise BackendError("the server is gone")

    monkeypatch.setattr(HashEmbedder, "embed_query", unreachable)
    monkeypatch.setenv("TAMIS_SEARCH_LOG", "false")
    told = tamis("search", "vault", "-q", "--rerank", "cohere")
    assert told.status == 0
    for corpus in ("notes", "deep"):
        assert f"warning: {corpus}: searched by words only: the server is gone" in told.err
    assert "warning: not reranked: " in told.err
    reason = tamis("search", "vault", "--json").data["degrade_reason"]
    assert reason == "; ".join(
        f"{name}: searched by words only: the server is gone" for name in ("deep", "notes")
    )
