"""A corpus that may be read and not written can be searched, and says what to do when it is to be changed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

import tamis
from tamis.errors import CorpusError
from tamis.library.search_log import log_search, logged_searches

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.library.conftest import CountingEmbedder


def use(library: tamis.Library, notes: Path) -> None:
    corpus = library.index("notes", [notes])
    corpus.search("keys", rerank="keyword")
    corpus.get("keys.md")
    corpus.health(detailed=True)
    library.list()


@pytest.fixture
def late_imports(library: tamis.Library, notes: Path) -> None:
    use(library, notes)


@pytest.fixture
def read_only(
    counting: dict[str, CountingEmbedder], unprivileged: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tamis.Library]:
    """A library with one corpus, all of which may only be read."""
    for variable in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(variable, str(unprivileged))
    notes = unprivileged / "notes"
    notes.mkdir()
    (notes / "keys.md").write_text("# Keys\n\nWe rotate the signing keys every month.\n")
    home = unprivileged / "home"
    with tamis.open(home) as library:
        use(library, notes)
    change_modes(home, 0o555, 0o444)
    with tamis.open(home) as library:
        yield library
    change_modes(home, 0o755, 0o644)


def change_modes(home: Path, folders: int, files: int) -> None:
    home.chmod(0o755)
    for folder, _, names in os.walk(home):
        os.chmod(folder, 0o755)
        for name in names:
            os.chmod(os.path.join(folder, name), files)
    for folder, _, _ in os.walk(home, topdown=False):
        os.chmod(folder, folders)


@pytest.mark.parametrize("mode", ["hybrid", "lexical", "semantic", "fact", "title_path"])
def test_it_is_searched_in_every_mode(read_only: tamis.Library, mode: tamis.Mode) -> None:
    query = "keys" if mode == "title_path" else "rotate the signing keys"
    result = read_only.search(query, mode=mode)
    assert [os.path.basename(hit.path) for hit in result.hits] == ["keys.md"]
    assert not result.warnings
    assert not result.degraded


def test_it_is_reranked(read_only: tamis.Library) -> None:
    result = read_only.search("signing keys", rerank="keyword")
    assert result.hits
    assert result.reranker == "keyword"


def test_its_searches_are_not_logged_and_nobody_is_bothered_with_it(read_only: tamis.Library) -> None:
    hits = read_only.search("signing keys").hits
    assert log_search(read_only.home, "signing keys", hits) is None
    assert logged_searches(read_only.home) == []


def test_it_is_listed_and_read(read_only: tamis.Library) -> None:
    (line,) = read_only.list()
    assert (line.name, line.documents, line.problem) == ("notes", 1, None)
    assert read_only.corpus("notes").health().warnings == ()
    assert "signing keys" in read_only.get("keys.md").text


def test_a_change_says_that_the_folder_cannot_be_written_to(read_only: tamis.Library) -> None:
    corpus = read_only.corpus("notes")
    notes = read_only.home.parent / "notes"
    (notes / "more.md").write_text("# More\n")
    for change in (
        lambda: read_only.index("more", [notes]),
        lambda: read_only.index("notes", [notes]),
        lambda: read_only.remove("notes"),
        corpus.refresh,
        lambda: corpus.amend(notes / "keys.md", "new text"),
    ):
        with pytest.raises(CorpusError) as caught:
            change()
        assert "cannot be written to" in caught.value.message
        assert "--home" in caught.value.hint
