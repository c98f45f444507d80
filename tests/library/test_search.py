"""Searching through the public face: modes, results, errors."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest

import tamis
from tamis.errors import (
    CorpusNotFoundError,
    EmbedError,
    FilterError,
    InputError,
    NotDocumentError,
    UnreachableError,
)
from tamis.library import wiring
from tamis.types import Lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from tamis.ports import DenseIndex
    from tamis.types import Vectors
    from tests.library.conftest import CountingEmbedder

    Writer = Callable[[str, str], Path]

MODES = ("semantic", "lexical", "hybrid", "fact", "title_path")


@pytest.fixture
def corpus(library: tamis.Library, notes: Path) -> tamis.Corpus:
    return library.index("notes", [notes])


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_finds_the_document_that_answers(corpus: tamis.Corpus, mode: Any) -> None:
    result = corpus.search("rotate signing keys" if mode != "title_path" else "keys", mode=mode)
    best = result.hits[0]
    assert best.path.endswith("keys.md")
    assert result.mode == mode
    assert result.corpus_name == "notes"
    assert result.total_chunks == 4
    assert not result.weak


@pytest.mark.parametrize("mode", MODES)
def test_hits_are_verbatim_and_say_where_they_are(corpus: tamis.Corpus, mode: Any) -> None:
    for hit in corpus.search("keys zebra deploy", mode=mode):
        text = Path(hit.path).read_bytes().decode()
        assert text[hit.char_start : hit.char_end] == hit.text
        assert text.splitlines()[hit.lines.first - 1] == hit.text.splitlines()[0]
        assert hit.preview is not None
        assert hit.preview in hit.text


def test_scores_fall_and_ranks_count_from_one(corpus: tamis.Corpus) -> None:
    hits = corpus.search("keys").hits
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_the_query_is_embedded_while_the_dense_index_opens(
    library: tamis.Library,
    notes: Path,
    counting: dict[str, CountingEmbedder],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    library.index("notes", [notes])
    library.close()
    asked = Event()
    embed_query, open_dense = counting["one"].embed_query, wiring._open_dense

    def embedding(text: str) -> Vectors:
        asked.set()
        return embed_query(text)

    def opening(path: Path, dimensions: int) -> DenseIndex:
        assert asked.wait(30), "nothing was embedded before the index was open"
        return open_dense(path, dimensions)

    monkeypatch.setattr(counting["one"], "embed_query", embedding)
    monkeypatch.setattr(wiring, "_open_dense", opening)
    with tamis.open(library.home) as again:
        assert again.corpus("notes").search("rotate signing keys").hits[0].path.endswith("keys.md")


@pytest.mark.parametrize("query", ["", " ", "\n\t"])
@pytest.mark.parametrize("mode", MODES)
def test_a_blank_query_retrieves_nothing_and_says_so(corpus: tamis.Corpus, query: str, mode: Any) -> None:
    result = corpus.search(query, mode=mode)
    assert result.hits == ()
    assert result.weak
    assert result.reason
    assert not result.degraded


def test_a_query_that_matches_nothing_is_weak_and_no_error(corpus: tamis.Corpus) -> None:
    result = corpus.search("xylophone", mode="lexical")
    assert result.hits == ()
    assert result.weak
    assert result.reason


def test_a_filter_that_keeps_nothing_says_so(corpus: tamis.Corpus) -> None:
    for mode in MODES:
        result = corpus.search("keys", mode=mode, filter=tamis.Filter(path_glob="*.pdf"))  # type: ignore[arg-type]
        assert result.hits == ()
        assert result.reason == "the filter keeps nothing"
        assert result.filter_applied is not None
        assert (result.filter_applied.total_before, result.filter_applied.kept) == (4, 0)


def test_the_breakdown_says_where_a_hybrid_score_came_from(corpus: tamis.Corpus) -> None:
    best = corpus.search("rotate signing keys", explain_scores=True).hits[0]
    parts = best.score_breakdown
    assert parts["lexical_rank"] == parts["dense_rank"] == 1
    assert parts["fused"] == best.score
    shares = sum(value for key, value in parts.items() if key.startswith("lexical."))
    assert shares == pytest.approx(parts["lexical"], rel=1e-3)


def test_an_exact_mention_comes_first_in_fact_mode(
    library: tamis.Library, notes: Path, write: Writer
) -> None:
    write(
        "long.md",
        "The port number is what everybody asks for: port, number, port number of the service. " * 12,
    )
    write("fact.md", "Service port is 8443.\n" + "Other remarks about services follow here. " * 3)
    corpus = library.index("notes", [notes])
    assert corpus.search("service port is 8443", mode="fact").hits[0].path.endswith("fact.md")


@pytest.mark.parametrize(
    "arguments",
    [
        {"top_k": 0}, {"top_k": 101}, {"preview_chars": -1}, {"preview_chars": 501}, {"mode": "fuzzy"}, {"fusion": "x"},
    ],
)  # fmt: skip
def test_arguments_out_of_range_are_refused_with_a_hint(
    corpus: tamis.Corpus, arguments: dict[str, Any]
) -> None:
    with pytest.raises(InputError) as caught:
        corpus.search("keys", **arguments)
    assert caught.value.code == "SCHEMA_INVALID"
    assert caught.value.hint


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"topk": 3}, "top_k"),
        ({"reranker": "keyword"}, "rerank"),
        ({"nonsense": 1}, "there are: mode"),
        ({"top_k": "5"}, "int"),
        ({"top_k": 1.5}, "int"),
        ({"top_k": True}, "int"),
        ({"filter": {"path_glob": "*.md"}}, "Filter"),
        ({"budget_cents": -1, "rerank": "keyword"}, "0 or more"),
    ],
)
def test_an_option_that_is_unknown_or_of_another_kind_is_refused(
    options: dict[str, Any], told: str, corpus: tamis.Corpus
) -> None:
    with pytest.raises(InputError) as caught:
        corpus.search("keys", **options)
    assert told in (caught.value.hint or "")


@pytest.mark.parametrize("query", [None, b"keys", 5])
def test_a_query_that_is_no_text_is_refused(query: Any, corpus: tamis.Corpus) -> None:
    with pytest.raises(InputError):
        corpus.search(query)


def test_a_query_of_more_than_a_thousand_characters_is_refused(corpus: tamis.Corpus) -> None:
    assert corpus.search("k" * 1000) is not None
    with pytest.raises(InputError):
        corpus.search("k" * 1001)


def test_a_bad_filter_is_refused(corpus: tamis.Corpus) -> None:
    with pytest.raises(FilterError) as caught:
        corpus.search("keys", filter=tamis.Filter(since="last week"))
    assert caught.value.code == "FILTER_INVALID"


def test_a_filter_of_other_kinds_is_refused(corpus: tamis.Corpus) -> None:
    for odd in (
        tamis.Filter(since=5),
        tamis.Filter(path_glob=5),
        tamis.Filter(path_glob=""),
        tamis.Filter(since=""),
    ):  # type: ignore[arg-type]
        with pytest.raises(FilterError):
            corpus.search("keys", filter=odd)


def test_a_scopes_reranker_lets_out_what_the_scope_says(
    library: tamis.Library, notes: Path, tmp_path: Path
) -> None:
    config = tmp_path / "tamis.toml"
    config.write_text(
        '[scope.few]\ncorpora = ["notes"]\nreranker = { driver = "keyword", output_top_n = 2 }\n'
    )
    library.index("notes", [notes])
    with tamis.open(library.home, config=config) as configured:
        assert len(configured.search("keys backups", scope="few")) == 2
        assert len(configured.search("keys backups", ["notes"], rerank="keyword", top_k=3)) == 3


def test_previews_may_be_left_out(corpus: tamis.Corpus) -> None:
    assert all(hit.preview is None for hit in corpus.search("keys", preview_chars=0))


def test_without_its_embedder_a_search_goes_on_by_words_and_semantic_alone_fails(
    corpus: tamis.Corpus, counting: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(text: str) -> Any:
        raise UnreachableError("no server", hint="start it")

    monkeypatch.setattr(counting["one"], "embed_query", fail)
    for mode in ("hybrid", "fact"):
        result = corpus.search("zebra stripes", mode=mode)  # type: ignore[arg-type]
        assert result.hits[0].path.endswith("zebra.txt")
        assert result.degraded
        assert result.degrade_reason
        assert "no server" in result.degrade_reason
        assert result.warnings
    with pytest.raises(UnreachableError):
        corpus.search("zebra", mode="semantic")


def test_a_semantic_search_of_a_corpus_without_vectors_names_the_command_that_makes_them(
    library: tamis.Library, notes: Path
) -> None:
    with pytest.raises(EmbedError, match="no vectors") as caught:
        library.index("notes", [notes], dense=False).search("zebra", mode="semantic")
    assert "tamis embed notes" in caught.value.hint


def test_many_threads_get_the_answers_that_one_gets(corpus: tamis.Corpus) -> None:
    queries = ["keys", "deploy tuesday", "zebra stripes", "publish the new key"] * 10
    expected = [[hit.id for hit in corpus.search(query)] for query in queries]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda query: [hit.id for hit in corpus.search(query)], queries)) == expected


def test_several_corpora_are_searched_as_one(library: tamis.Library, notes: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "keys.md").write_text("# More keys\n\nThe signing keys are in the safe.\n")
    library.index("notes", [notes])
    library.index("other", [other])
    result = library.search("signing keys", ["notes", "other"])
    assert {hit.corpus for hit in result} == {"notes", "other"}
    assert {hit.corpus for hit in library.search("signing keys")} == {"notes", "other"}
    with pytest.raises(CorpusNotFoundError):
        library.search("signing keys", ["notes", "missing"])


def test_a_damaged_corpus_is_left_out_of_a_search_of_all_with_a_warning(
    library: tamis.Library, notes: Path
) -> None:
    library.index("notes", [notes])
    damaged = library.home / "corpora" / "damaged"
    damaged.mkdir()
    (damaged / "corpus.db").write_bytes(b"no database" * 100)
    result = library.search("keys")
    assert {hit.corpus for hit in result} == {"notes"}
    assert any("damaged" in warning for warning in result.warnings)


def test_get_gives_a_hit_its_passage_and_a_path_its_lines(
    library: tamis.Library, corpus: tamis.Corpus, notes: Path
) -> None:
    hit = corpus.search("rotate").hits[0]
    assert library.get(hit.id).text == hit.text
    assert corpus.get(hit.id).chunk_index == hit.chunk_index
    assert library.get("keys.md").text == (notes / "keys.md").read_text().rstrip()
    passage = corpus.get(str(notes / "keys.md"), lines=Lines(3, 5))
    assert passage.text == "We rotate the signing keys every month.\n\n## Steps"
    assert passage.lines == Lines(3, 5)
    assert corpus.get(str(notes / "keys.md"), lines=Lines(1, 2)).lines == Lines(1, 2)  # the second is empty


def test_get_says_what_is_not_there(corpus: tamis.Corpus) -> None:
    for target in ("nowhere.md", "notes:999999", "999999"):
        with pytest.raises(NotDocumentError):
            corpus.get(target)
    with pytest.raises(InputError):
        corpus.get("keys.md", lines=Lines(90, 99))
