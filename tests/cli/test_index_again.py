"""index and refresh, run again on the command line: what they keep, what they refuse and what they advise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Tamis


def test_vectors_left_for_later_are_pointed_to_and_not_made_by_a_refresh(tamis: Tamis, notes: Path) -> None:
    hint = "tamis embed notes"
    assert hint in tamis("index", "notes", notes, "--embedder", "hash", "--no-dense").out
    refreshed = tamis("refresh", "notes")
    assert refreshed.out.startswith("notes: up to date, ")
    assert hint in refreshed.out
    (notes / "new.md").write_text("# New\n")
    assert hint in tamis("refresh", "notes").out
    assert tamis("refresh", "notes", "--json").result["dense_coverage"] == 0.0
    assert tamis("refresh", "notes", "--dense", "--json").result["dense_coverage"] == 1.0
    assert hint not in tamis("refresh", "notes").out


def test_globs_are_kept_until_they_are_replaced_or_forgotten(tamis: Tamis, notes: Path) -> None:
    def documents(*options: str) -> int:
        return tamis("index", "notes", notes, "--no-dense", "--json", *options).result["documents"]

    assert documents("--include", "*.md", "--exclude", "back*") == 1
    assert documents() == 1
    assert documents("--include", "*.rs") == 1
    assert documents("--no-globs", "--include", "*.md") == 2
    assert documents("--no-globs") == 3


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--embedder", "foo"), "CONFIG_INVALID"),
        (("--embedder", "onnx:/nope", "--no-dense"), "CONFIG_INVALID"),
        (("--include", ""), "SCHEMA_INVALID"),
    ],
)
def test_bad_options_are_wrong_usage_and_leave_the_corpus_alone(
    tamis: Tamis, own: Path, options: tuple[str, ...], code: str
) -> None:
    before = tamis("health", "notes", "--json").result["generation"]
    (own / "new.md").write_text("# New\n")
    for name in ("notes", "other"):
        outcome = tamis("index", name, own, *options, "--json")
        assert (outcome.status, outcome.error["code"]) == (2, code)
        assert outcome.error["hint"]
    assert tamis("health", "--json").result["generation"] == before
    assert tamis("index", "notes", own).status == 0


def test_a_path_that_cannot_be_read_at_all_is_an_error_with_a_hint(tamis: Tamis, own: Path) -> None:
    link = own.with_name("lnk")
    link.symlink_to(own)
    outcome = tamis("index", "notes", f"{link}/", "--json")
    assert (outcome.status, outcome.error["code"]) == (1, "SYMLINK_NOT_ALLOWED")
    assert str(own) in outcome.error["hint"]
    assert tamis("health", "--json").result["documents"] == 3


def test_a_folder_is_no_file_to_amend(tamis: Tamis, own: Path) -> None:
    outcome = tamis("amend", "notes", own, "--content-file", own / "keys.md", "--json")
    assert (outcome.status, outcome.error["code"]) == (2, "SCHEMA_INVALID")
    assert "is a folder" in outcome.error["message"]


def test_a_folder_that_is_not_there_is_not_called_up_to_date(tamis: Tamis, own: Path) -> None:
    own.rename(own.with_name("unplugged"))
    outcome = tamis("refresh", "notes")
    assert outcome.out.startswith("notes: unchanged, ")
    assert "no files matched" not in outcome.err
    assert f"not there: {own}" in outcome.err
    health = tamis("health", "notes")
    assert health.out.startswith("notes: needs attention")
    assert "not there: " in " ".join(health.out.split())


def test_an_empty_corpus_is_not_called_healthy(tamis: Tamis, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    tamis("index", "nothing", tmp_path / "empty", "--no-dense")
    assert tamis("health", "nothing").out.startswith("nothing: needs attention")
