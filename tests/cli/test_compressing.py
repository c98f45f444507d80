"""compress, refine and search -r."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Tamis

TEXT = b"# Keys\n\nKeys are rotated every ninety days. " + b"Cats sleep in the sun. " * 100


def test_a_text_from_stdin_is_cut_to_the_budget(tamis: Tamis) -> None:
    outcome = tamis("compress", "-", "-t", "60", stdin=TEXT)
    assert "Keys are rotated" in outcome.out
    assert outcome.err.endswith("(bundled, truncate)\n")
    result = tamis("compress", "-", "-t", "60", "--json", stdin=TEXT).result
    assert result["tokens_after"] <= 60 < result["tokens_before"]


def test_what_answers_the_query_is_kept(tamis: Tamis) -> None:
    late = b"Cats sleep in the sun. " * 100 + b"Keys are rotated every ninety days."
    result = tamis("compress", "-", "-t", "60", "-q", "how are keys rotated?", "--json", stdin=late).result
    assert result["level"] == "extract"
    assert "Keys are rotated every ninety days." in result["text"]


def test_files_are_named_as_sources_and_several_share_the_budget(tamis: Tamis, notes: Path) -> None:
    one = tamis("compress", notes / "keys.md", "-q", "keys", "-t", "300", "--json").result
    assert {unit["path"] for unit in one["units"]} == {str(notes / "keys.md")}
    both = tamis("compress", notes / "keys.md", notes / "backups.md", "-t", "400", "--json").result
    assert {unit["source"] for unit in both["units"]} == {0, 1}
    assert both["tokens_after"] <= 400


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        (("-t", "0"), 2, "max_tokens"),
        (("--level", "extract"), 2, "needs a query"),
        (("--tokenizer", "abacus"), 2, "no tokenizer"),
        (("--form", "pdf"), 2, "no form"),
    ],
)
def test_options_that_make_no_sense_are_told(
    tamis: Tamis, options: tuple[str, ...], status: int, said: str
) -> None:
    outcome = tamis("compress", "-", *options, stdin=TEXT)
    assert outcome.status == status
    assert said in outcome.err


def test_a_file_that_is_not_there_or_no_text_is_an_error(tamis: Tamis, tmp_path: Path) -> None:
    assert tamis("compress", tmp_path / "nope.md").status == 1
    (tmp_path / "image.bin").write_bytes(bytes(range(256)) * 10)
    assert tamis("compress", tmp_path / "image.bin", "--json").error["code"] == "SOURCE_BINARY"


def test_other_encodings_are_read(tamis: Tamis, tmp_path: Path) -> None:
    (tmp_path / "wide.md").write_bytes("Grüße aus Köln.".encode("utf-16"))
    assert "Grüße aus Köln." in tamis("compress", tmp_path / "wide.md").out


def test_the_tokenizer_is_named(tamis: Tamis) -> None:
    result = tamis("compress", "-", "-t", "60", "--tokenizer", "chars/4", "--json", stdin=TEXT).result
    assert result["tokenizer"] == "chars/4"


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_fifty_megabytes_are_compressed_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "log.md"
    with path.open("wb") as file:
        for number in range(50):
            file.write(b"Cats sleep in the sun, line %d.\n\n" % number * 30_000)
        file.write(b"The key leaked on Tuesday.\n")
    assert path.stat().st_size > 45_000_000
    script = (
        "import resource, sys; from tamis.cli.main import main; status = main(sys.argv[1:]);"
        "sys.stderr.write(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)); sys.exit(status)"
    )
    arguments = ["compress", str(path), "-t", "200", "-q", "when did the key leak?", "--quiet"]
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, env={**os.environ}
    )
    assert done.returncode == 0
    assert "The key leaked on Tuesday." in done.stdout
    assert int(done.stderr) < 300_000  # kilobytes


def test_refine_finds_and_fits(tamis: Tamis, indexed: Path) -> None:
    result = tamis("refine", "how are keys rotated?", "-c", "notes", "-t", "300", "--json").result
    assert "Keys are rotated every ninety days." in result["text"]
    assert result["memories"][0]["path"] == str(indexed / "keys.md")
    assert result["memories"][0]["text"]
    assert result["stats"]["tokens_after"] <= 300
    outcome = tamis("refine", "keys", "-t", "300", "--rerank", "path_specificity")
    assert "keys.md" in outcome.out
    assert "reranked by path_specificity" in outcome.err


def test_refine_that_finds_nothing_is_a_success(tamis: Tamis, indexed: Path) -> None:
    outcome = tamis("refine", "zyxwv", "-m", "lexical")
    assert (outcome.status, outcome.out, outcome.err) == (0, "", "no hits\n")


def test_refine_with_no_such_corpus_or_too_small_a_budget_fails_as_others_do(
    tamis: Tamis, indexed: Path
) -> None:
    assert tamis("refine", "keys", "-c", "nope").status == 3
    small = tamis("refine", "keys", "-t", "1", "--json")
    assert (small.status, small.error["code"]) == (2, "BUDGET_TOO_SMALL")


def test_search_r_reranks_by_keyword_and_compresses(tamis: Tamis, indexed: Path) -> None:
    result = tamis("search", "keys rotated", "-r", "-t", "300", "--json").result
    assert result["reranker"] == "keyword"
    assert result["stats"]["tokens_after"] <= 300
    assert "rotated" in result["text"]
