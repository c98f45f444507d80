"""What a person meets at the edges: an open range, a narrow terminal, a question that is not answered, help by its name."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

import click
import pytest

from tamis.render.cells import width

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Tamis


@pytest.mark.parametrize(
    ("lines", "first", "last"), [(":3", 1, 3), ("5:", 5, 6), ("-3", 1, 3), ("5-", 5, 6), ("2:99", 2, 6)]
)
def test_the_ends_of_a_range_of_lines_may_be_left_open(
    tamis: Tamis, indexed: Path, lines: str, first: int, last: int
) -> None:
    text = (indexed / "keys.md").read_text().splitlines(True)
    outcome = tamis("get", "keys.md", f"--lines={lines}")
    assert outcome.out.strip() == "".join(text[first - 1 : last]).strip()


@pytest.mark.parametrize("lines", [":", "-", "", "3:b", "1:2:3"])
def test_a_range_without_a_line_is_refused(tamis: Tamis, indexed: Path, lines: str) -> None:
    assert tamis("get", "keys.md", f"--lines={lines}").status == 2


@pytest.mark.parametrize("stop", [click.Abort, KeyboardInterrupt])
def test_a_removal_that_is_stopped_at_its_question_says_that_nothing_was_removed(
    tamis: Tamis, own: Path, monkeypatch: pytest.MonkeyPatch, stop: type[BaseException]
) -> None:
    def stopped(*_: object, **__: object) -> bool:
        raise stop

    monkeypatch.setattr("tamis.cli.commands.remove.is_terminal", lambda _: True)
    monkeypatch.setattr("click.confirm", stopped)
    outcome = tamis("remove", "notes")
    assert outcome.status == 130
    assert outcome.err == "error: interrupted; nothing was removed\n"
    assert [line["name"] for line in tamis("list", "--json").result] == ["notes"]


def test_what_was_begun_of_a_corpus_is_removed_without_a_question(
    tamis: Tamis, own: Path, tmp_path: Path
) -> None:
    (tmp_path / "home" / "corpora" / "begun").mkdir()
    assert tamis("list").err == ""
    assert tamis("remove", "begun").out == "removed begun\n"
    assert tamis("remove", "begun").status == 3


def test_help_is_shown_by_its_name(tamis: Tamis) -> None:
    assert tamis("help") == tamis("--help")
    assert tamis("help", "search") == tamis("search", "--help")
    assert tamis("help", "serach").status == 2


@pytest.mark.parametrize("columns", [40, 60])
def test_list_and_health_keep_to_the_width(
    tamis: Tamis, indexed: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for command in (["list"], ["health", "notes"], ["health", "notes", "--detailed"]):
        shown = tamis(*command).out
        # A path stays in one piece, so that it can be pasted.
        assert [
            line for line in shown.splitlines() if width(line) > columns and str(indexed) not in line
        ] == []
        assert "notes" in shown


def test_a_blank_query_says_nothing_of_vectors(tamis: Tamis, notes: Path) -> None:
    tamis("index", "notes", notes, "--no-dense", "--embedder", "hash")
    assert tamis("search", "keys", "--json").data["warnings"]
    outcome = tamis("search", "  ", "--json")
    assert outcome.data["warnings"] == []
    assert outcome.result["weak"]


def test_a_missing_permission_says_what_to_do(tamis: Tamis, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: object, **__: object) -> None:
        raise OSError(errno.EACCES, "Permission denied", "/data/corpora")

    monkeypatch.setattr("tamis.library.Library.list", denied)
    assert "--home" in tamis("list").err
