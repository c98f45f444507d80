"""Which hits a search brings, in which order, and how many."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import tamis
    from tests.library.conftest import CountingEmbedder

    Writer = Callable[[str, str], Path]


@pytest.fixture
def many(library: tamis.Library, notes: Path, write: Writer) -> tamis.Corpus:
    """Four hundred short texts of a hundred words."""
    random = Random(3)
    words = [f"w{number}" for number in range(100)]
    for number in range(400):
        write(f"many/{number}.txt", f"item {number} " + " ".join(random.choices(words, k=20)))
    return library.index("many", [notes / "many"])


def test_a_scan_beside_the_words_finds_what_one_before_them_does(
    many: tamis.Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Large corpora are scanned on a thread of their own."""
    queries = ["w7 w12 w33", "item 250", "w1", "nothing of it"]
    in_turn = [many.search(query, explain_scores=True).hits for query in queries]
    monkeypatch.setattr("tamis.search.retrieve.LONG_SCAN", 0)
    assert [many.search(query, explain_scores=True).hits for query in queries] == in_turn


def test_equal_scores_go_by_path_then_by_chunk(library: tamis.Library, notes: Path, write: Writer) -> None:
    for name in ("c", "a", "b", "d"):
        write(f"same/{name}.md", "# Same\n\nThe same marmot in every file.\n")
    corpus = library.index("notes", [notes / "same"])
    for mode in ("lexical", "semantic", "hybrid"):
        hits = corpus.search("marmot", mode=mode, top_k=3)  # type: ignore[arg-type]
        assert [hit.path.rsplit("/", 1)[1] for hit in hits] == ["a.md", "b.md", "c.md"]


def test_an_equal_that_came_last_is_first_by_path_among_very_many(
    library: tamis.Library, notes: Path, write: Writer
) -> None:
    for number in range(400):
        write(f"same/n{number:03}.md", "The same marmot in every file.\n")
    corpus = library.index("notes", [notes / "same"])
    write("same/a.md", "The same marmot in every file.\n")
    corpus.refresh()
    hits = corpus.search("marmot", mode="lexical", top_k=2).hits
    assert [hit.path.rsplit("/", 1)[1] for hit in hits] == ["a.md", "n000.md"]


def test_a_passage_shown_again_makes_room_for_the_next(
    library: tamis.Library, notes: Path, write: Writer
) -> None:
    write("long.txt", "marmot word " * 40)
    write("other.txt", "One word more about the marmot, and then what it does in spring.")
    files = [notes / "long.txt", notes / "other.txt"]
    corpus = library.index("notes", files, chunk_chars=150, chunk_overlap=110)
    hits = corpus.search("marmot word", mode="lexical", top_k=5).hits
    assert len(hits) == 5
    assert [hit.rank for hit in hits] == [1, 2, 3, 4, 5]
    for better, worse in combinations([hit for hit in hits if hit.path.endswith("long.txt")], 2):
        shared = min(better.char_end, worse.char_end) - max(better.char_start, worse.char_start)
        assert shared * 2 <= worse.char_end - worse.char_start


def test_the_hundredth_by_meaning_is_as_sure_as_the_first(
    library: tamis.Library, notes: Path, write: Writer, counting: dict[str, CountingEmbedder]
) -> None:
    random = Random(7)
    words = [f"w{number}" for number in range(400)]
    for number in range(1500):
        write(f"many/{number}.txt", f"item {number} " + " ".join(random.choices(words, k=20)))
    query = " ".join(words[:30])
    found = library.index("notes", [notes / "many"]).search(query, mode="semantic", top_k=100).hits
    embedder = counting["one"]
    passages = list(embedder.texts)
    cosines = embedder.embed_passages(passages).vectors.astype(np.float16).astype(np.float32)
    best = np.sort(cosines @ embedder.embed_query(query))[-100:]
    assert [hit.score for hit in found] == pytest.approx(best[::-1].tolist(), abs=1e-6)


def test_equal_passages_have_equal_scores_and_go_by_path(
    library: tamis.Library, notes: Path, write: Writer
) -> None:
    random = Random(5)
    words = [f"w{number}" for number in range(50)]
    for number in range(30):
        text = " ".join(random.choices(words, k=20))
        for copy in "bca":
            write(f"{copy}/{number}.txt", text)
    corpus = library.index("copies", [notes / copy for copy in "abc"])
    for mode in ("semantic", "hybrid", "lexical"):
        hits = corpus.search("w1 w2 w3 w4 w5", mode=mode, top_k=90).hits
        for text in {hit.text for hit in hits}:
            equals = [hit for hit in hits if hit.text == text]
            assert len({hit.score for hit in equals}) == 1
            assert [hit.path for hit in equals] == sorted(hit.path for hit in equals)


def test_as_many_hits_as_asked_for_where_many_passages_overlap(
    library: tamis.Library, notes: Path, write: Writer
) -> None:
    for number in range(60):
        write(
            f"many/{number}.txt",
            " ".join(f"Line {line} of note {number} says walrus." for line in range(26)),
        )
    corpus = library.index("many", [notes / "many"], chunk_chars=800, chunk_overlap=400)
    for top_k in (20, 50):
        assert len(corpus.search("walrus", mode="lexical", top_k=top_k).hits) == top_k


def test_plain_rrf_can_be_reckoned_from_the_breakdown(many: tamis.Corpus) -> None:
    hits = many.search("w1 w2 w3 w4", fusion="rrf", top_k=100).hits
    assert any("dense" in hit.score_breakdown and "dense_rank" not in hit.score_breakdown for hit in hits)
    for hit in hits:
        places = [hit.score_breakdown.get(f"{side}_rank") for side in ("lexical", "dense")]
        assert hit.score == pytest.approx(sum(1 / (60 + place) for place in places if place), rel=1e-9)


@pytest.mark.parametrize("fusion", ["default", "rrf", "convex"])
@pytest.mark.parametrize("mode", ["hybrid", "fact"])
def test_the_first_hits_are_the_same_however_many_are_asked_for(
    many: tamis.Corpus, mode: Any, fusion: str
) -> None:
    for query in ("w1 w2 w3 w4", "w5", "w6 w7 item 12"):
        few, all_of_them = (many.search(query, mode=mode, fusion=fusion, top_k=k).hits for k in (10, 100))
        assert [(hit.id, hit.score) for hit in few] == [(hit.id, hit.score) for hit in all_of_them[:10]]
