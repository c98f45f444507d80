"""One corpus that was begun and never made hides no other and breaks nothing."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tamis.errors import CorpusNotFoundError
from tamis.storage import Truth

if TYPE_CHECKING:
    from pathlib import Path

    import tamis


@pytest.fixture
def begun(library: tamis.Library, notes: Path) -> tamis.Library:
    """A library with a corpus ``notes``, and what a kill left of the first moment of ``begun``."""
    library.index("notes", [notes])
    folder = library.home / "corpora" / "begun"
    folder.mkdir()
    Truth(folder / "corpus.db").close()
    return library


def test_the_others_are_listed_and_searched_without_being_named(begun: tamis.Library) -> None:
    assert [line.name for line in begun.list()] == ["notes"]
    result = begun.search("signing keys", mode="lexical")
    assert result.hits
    assert not result.warnings
    assert begun.only().name == "notes"


def test_naming_it_says_that_it_is_not_there(begun: tamis.Library) -> None:
    with pytest.raises(CorpusNotFoundError) as caught:
        begun.search("keys", ["begun"])
    assert "notes" in caught.value.hint


def test_indexing_makes_it(begun: tamis.Library, notes: Path) -> None:
    corpus = begun.index("begun", [notes])
    assert corpus.summary().documents == 3
    assert begun.names() == ["begun", "notes"]


def test_removing_removes_it(begun: tamis.Library) -> None:
    begun.remove("begun")
    assert not (begun.home / "corpora" / "begun").exists()
    with pytest.raises(CorpusNotFoundError):
        begun.remove("begun")


def test_a_database_that_was_cut_to_nothing_can_be_made_again(begun: tamis.Library, notes: Path) -> None:
    shutil.rmtree(begun.home / "corpora" / "begun")
    begun.close()
    (begun.home / "corpora" / "notes" / "corpus.db").write_bytes(b"")
    assert begun.list() == []
    assert begun.index("notes", [notes]).search("signing keys").hits
