"""``min_score`` after a reranker is on the reranker's scale."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import tamis

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def library(tmp_path: Path) -> tamis.Library:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "keys.md").write_text("# Keys\n\nRotate the keys every ninety days.")
    (notes / "code.py").write_text("keys = {k: v for k, v in old.items()}\nrotate = lambda x: {x[1]; x[0]}\n")
    library = tamis.open(tmp_path / "home")
    library.index("notes", [notes], dense=False)
    return library


def found(library: tamis.Library, reranker: str, **options: object) -> tuple[int, str]:
    result = library.corpus("notes").search("rotate keys", mode="lexical", rerank=reranker, **options)  # type: ignore[arg-type]
    return len(result.hits), " ".join(result.warnings)


def test_hits_that_no_reranker_scored_are_kept_and_it_is_told(library: tamis.Library) -> None:
    unreachable = {"url": "http://127.0.0.1:9", "deadline": 2}
    count, warnings = found(library, "http", rerank_config=unreachable, min_score=1000.0)
    assert count == 2
    assert "min_score 1000 is left aside" in warnings


def test_hits_that_a_reranker_scored_are_left_out_below(library: tamis.Library) -> None:
    assert found(library, "keyword", min_score=1000.0)[0] == 0
    assert found(library, "keyword", min_score=0.5)[0] == 2


def test_noop_leaves_the_scale_as_it_is(library: tamis.Library) -> None:
    scores = [hit.score for hit in library.corpus("notes").search("rotate keys", mode="lexical").hits]
    assert found(library, "noop", min_score=min(scores))[0] == 2
    assert found(library, "noop", min_score=max(scores) + 0.01)[0] == 0
