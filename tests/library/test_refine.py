"""From a search, or from memories, to the evidence that fits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import tamis
from tamis.errors import BudgetError, InputError
from tamis.testing import HashEmbedder

if TYPE_CHECKING:
    from pathlib import Path

MEMORIES = [
    {"id": "1", "title": "Cats", "content": "Cats sleep. " * 40},
    {"id": "2", "title": "Security fixes", "content": "Rotate the keys. " + "Other words follow. " * 40},
]


@pytest.fixture
def corpus(library: tamis.Library, notes: Path) -> tamis.Corpus:
    return library.index("notes", [notes])


def test_the_evidence_of_a_search_fits_the_budget_and_names_its_sources(corpus: tamis.Corpus) -> None:
    evidence = corpus.refine("rotate the signing keys", mode="lexical", max_tokens=120)
    assert "rotate the signing keys" in evidence.text
    assert "keys.md:1-3" in evidence.text
    assert evidence.stats.tokens_after <= 120
    assert evidence.stats.output == len(evidence.memories) > 0
    assert all(isinstance(hit, tamis.Hit) for hit in evidence.memories)


def test_units_are_slices_of_their_documents(corpus: tamis.Corpus) -> None:
    for unit in corpus.refine("keys", mode="lexical").units:
        assert unit.path is not None
        document = corpus.get(unit.path).text
        assert document[unit.span.start : unit.span.end] == unit.text


def test_a_reranker_and_a_scope_reach_the_search(library: tamis.Library, corpus: tamis.Corpus) -> None:
    evidence = library.refine("keys", ["notes"], mode="lexical", rerank="path_specificity", top_k=1)
    assert (evidence.reranker, evidence.stats.reranked) == ("path_specificity", 1)
    with pytest.raises(tamis.TamisError, match="scope"):
        library.refine("keys", scope="none")


def test_an_embedder_is_asked_only_when_it_is_wanted(
    corpus: tamis.Corpus, counting: dict[str, object]
) -> None:
    embedder = counting["one"]
    before = len(embedder.texts)  # type: ignore[attr-defined]
    corpus.refine("keys", mode="lexical")
    assert len(embedder.texts) == before  # type: ignore[attr-defined]
    corpus.refine("keys", mode="lexical", dense=True)
    assert len(embedder.texts) > before  # type: ignore[attr-defined]


def test_nothing_found_is_no_evidence_and_no_error(corpus: tamis.Corpus) -> None:
    evidence = corpus.refine("zyxwv", mode="lexical")
    assert (evidence.text, evidence.memories, evidence.stats.output) == ("", (), 0)


def test_a_budget_too_small_for_anything_is_an_error(corpus: tamis.Corpus) -> None:
    with pytest.raises(BudgetError):
        corpus.refine("keys", mode="lexical", max_tokens=1)


def test_memories_are_reranked_by_keyword_and_cut() -> None:
    evidence = tamis.refine("security fixes", MEMORIES, top_k=1, max_tokens=30)
    assert [memory["id"] for memory in evidence.memories] == ["2"]
    assert evidence.memories[0]["rerank_score"] >= 10  # the title holds the query
    assert (evidence.stats.input, evidence.stats.reranked, evidence.stats.truncated) == (2, 1, 1)
    assert evidence.stats.tokens_after <= 30 < evidence.stats.tokens_before


def test_the_result_of_a_search_keeps_its_order_unless_a_reranker_is_named(corpus: tamis.Corpus) -> None:
    found = corpus.search("keys", mode="lexical")
    plain = tamis.refine("keys", found, top_k=2)
    assert [hit.id for hit in plain.memories] == [hit.id for hit in found.hits[:2]]
    assert plain.reranker is None
    assert tamis.refine("keys", found.hits, rerank="keyword").reranker == "keyword"


def test_meaning_may_be_weighed_for_memories_too() -> None:
    assert tamis.refine("security fixes", MEMORIES, max_tokens=60, embedder=HashEmbedder()).text


def test_the_arguments_in_the_other_order_are_told_of() -> None:
    with pytest.raises(InputError, match="query comes first"):
        tamis.refine(MEMORIES, "security fixes")  # type: ignore[arg-type]


def test_rerank_and_compress_are_functions_to_users_and_packages_to_code() -> None:
    from tamis.compress import compress
    from tamis.rerank import rerank_memories

    assert tamis.rerank(MEMORIES, "security fixes", 1)[0]["id"] == "2"
    assert tamis.rerank(MEMORIES, "cats", 5) == rerank_memories(MEMORIES, "cats", 5)
    assert tamis.compress("Cats sleep. " * 40, 20).text == compress("Cats sleep. " * 40, 20).text


@pytest.mark.parametrize(
    ("memories", "said"),
    [
        ("keys", "memories are str"),
        ({"content": "keys"}, "memories are dict"),
        (["keys"], r"memories\[0\] is 'keys'"),
        ([{"content": "keys"}, None], r"memories\[1\] is None"),
    ],
)
def test_what_is_no_list_of_memories_is_refused(memories: object, said: str) -> None:
    with pytest.raises(InputError, match=said):
        tamis.refine("keys", memories)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("top_k", ["3", 1.5, 0])
def test_a_count_that_is_none_is_refused(top_k: object) -> None:
    with pytest.raises(InputError, match="top_k is"):
        tamis.refine("keys", MEMORIES, top_k=top_k)  # pyright: ignore[reportArgumentType]
