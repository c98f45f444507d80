"""Scores are BM25's, against its formula and against bm25s."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamis.lexical import BM25, FIELD_WEIGHTS, TantivyIndex
from tamis.lexical.fields import Analyser
from tamis.lexical.terms import terms
from tamis.types import Bm25, FieldWeights, LexicalDocument, Stamp
from tests.lexical.documents import FIRST, document, fill
from tests.lexical.exhaustive import ExhaustiveIndex

if TYPE_CHECKING:
    from tamis.types import Scored

WORDS = ["alpha", "beta", "gamma", "deltas", "readFile", "two-fold", "東京", "of"]
WEIGHTS = st.builds(FieldWeights, *[st.sampled_from([0.0, 0.3, 1.0, 2.5])] * 4)
PARAMETERS = st.sampled_from([BM25, Bm25(0.9, 0.4), Bm25(2.0, 1.0), Bm25(1.2, 0.0), Bm25(0.0, 0.75)])


def assert_same_ranking(ranking: list[Scored], expected: list[Scored]) -> None:
    """Same ids with the same scores to six digits; whose scores are that close may change places."""
    assert [item.score for item in ranking] == pytest.approx([item.score for item in expected], rel=1e-5)
    assert dict(ranking) == pytest.approx(dict(expected), rel=1e-5)


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[TantivyIndex, ExhaustiveIndex]:
    """The same documents in both implementations; some fields are empty, some long."""
    draw = random.Random(3)

    def text() -> str:
        return " ".join(draw.choices(WORDS, k=draw.choice([0, 1, 3, 10, 30, 60, 300])))

    documents = [LexicalDocument(n, n % 7, text(), text(), text(), text(), "text") for n in range(80)]
    index, exact = TantivyIndex(tmp_path_factory.mktemp("index")), ExhaustiveIndex()
    for each in (index, exact):
        each.apply(FIRST, documents, [])
    return index, exact


@settings(max_examples=100, deadline=None)
@given(
    query=st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join),
    weights=WEIGHTS,
    bm25=PARAMETERS,
    file_ids=st.none() | st.lists(st.integers(0, 9), unique=True),
)
def test_rankings_and_shares_are_those_of_the_formula(
    both: tuple[TantivyIndex, ExhaustiveIndex],
    query: str,
    weights: FieldWeights,
    bm25: Bm25,
    file_ids: list[int] | None,
) -> None:
    index, exact = both
    ranking = index.search(query, 100, weights=weights, bm25=bm25, file_ids=file_ids)
    assert_same_ranking(ranking, exact.search(query, 100, weights=weights, bm25=bm25, file_ids=file_ids))
    ids = [*range(0, 80, 9), 99]
    shares = index.explain(query, ids, weights=weights, bm25=bm25)
    expected = exact.explain(query, [key for key in ids if key < 80], weights=weights, bm25=bm25)
    assert shares[-1] == {}  # there is no such chunk
    for share, correct in zip(shares, expected, strict=False):
        assert share == pytest.approx(correct, rel=1e-5)


def test_shares_sum_to_the_score(index: TantivyIndex) -> None:
    documents = [
        document(n, "alpha beta " * n, title="alpha", heading="beta", path="alpha/beta.md")
        for n in range(1, 6)
    ]
    index.apply(FIRST, documents, [])
    hits = index.search("alpha beta", 5, weights=FIELD_WEIGHTS, bm25=BM25)
    shares = index.explain("alpha beta", [hit.id for hit in hits], weights=FIELD_WEIGHTS, bm25=BM25)
    assert [sum(share.values()) for share in shares] == pytest.approx([hit.score for hit in hits], rel=1e-5)


def test_an_unknown_chunk_and_one_that_does_not_match_have_no_shares(index: TantivyIndex) -> None:
    fill(index, ["alpha", "beta"])
    shares = index.explain("alpha", [2, 99, 1], weights=FIELD_WEIGHTS, bm25=BM25)
    assert [set(share) for share in shares] == [set(), set(), {"body"}]


def test_a_filter_adds_nothing_to_the_scores(index: TantivyIndex) -> None:
    fill(index, ["alpha", "alpha beta", "beta"])
    everywhere = index.search("alpha", 9, weights=FIELD_WEIGHTS, bm25=BM25)
    for file_ids in ([1, 2, 3], range(500)):
        assert index.search("alpha", 9, weights=FIELD_WEIGHTS, bm25=BM25, file_ids=file_ids) == everywhere


@pytest.mark.parametrize("bm25", [BM25, Bm25(0.9, 0.4)])
def test_scores_are_those_of_bm25s(index: TantivyIndex, bm25: Bm25) -> None:
    import bm25s

    bodies = [" ".join(WORDS[: n % 7 + 1] * (n % 4 + 1)) for n in range(40)]
    fill(index, bodies)
    analyser = Analyser("english")
    tokens = [analyser.fields(document(0, body))[0].body.split() for body in bodies]
    # One empty document more, as the marker is in the index.
    peer = bm25s.BM25(method="lucene", k1=bm25.k1, b=bm25.b)
    peer.index([*tokens, []], show_progress=False)
    query = "alpha gamma deltas"
    scores = peer.get_scores(list(terms(query, ["english"]).stems)) * (bm25.k1 + 1)  # Lucene drops the factor
    shares = index.search(query, 40, weights=FieldWeights(0, 0, 0, 1), bm25=bm25)
    surface = peer_surface(bodies, query, bm25)
    for key, score in shares:
        assert score == pytest.approx(scores[key - 1] + 0.3 * surface[key - 1], rel=1e-4)


def peer_surface(bodies: list[str], query: str, bm25: Bm25) -> list[float]:
    """bm25s's scores over the words as they are written."""
    import bm25s

    analyser = Analyser("english")
    tokens = [analyser.fields(document(0, body))[0].surface.split() for body in bodies]
    peer = bm25s.BM25(method="lucene", k1=bm25.k1, b=bm25.b)
    peer.index([*tokens, []], show_progress=False)
    return (peer.get_scores(list(terms(query, ["english"]).plain)) * (bm25.k1 + 1)).tolist()


def test_another_k1_and_b_rank_as_if_they_were_built_in(index: TantivyIndex) -> None:
    bodies = [" ".join(["alpha"] * (n % 9 + 1) + ["filler"] * (n * 7 % 53)) for n in range(400)]
    exact = ExhaustiveIndex()
    documents = [document(n, body) for n, body in enumerate(bodies)]
    for each in (index, exact):
        each.apply(Stamp("corpus", 1), documents, [])
    bm25 = Bm25(2.5, 0.2)
    ranking = index.search("alpha", 10, weights=FIELD_WEIGHTS, bm25=bm25)
    assert_same_ranking(ranking, exact.search("alpha", 10, weights=FIELD_WEIGHTS, bm25=bm25))
