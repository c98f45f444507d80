"""What compression makes of how similar an item is to the query as a whole."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tamis.compress import CompressItem, compress
from tamis.compress.evidence import item_shares, likeness
from tamis.errors import InputError
from tamis.types import Embedded
from tests.compress.test_dense import Broken, Meanings
from tests.samples import HIT

QUERY = "how are the keys rotated"
ITEMS = tuple(
    CompressItem(
        f"Keys are rotated in {town}. The gate of {town} opens at noon. The hall of {town} is green."
    )
    for town in ("Lyon", "Porto", "Turin")
)
BUDGET = 40
"""One of the items fits, and a part of each other."""


LABELLED = 60
"""The same where items have labels."""


def whole(items, budget: int = BUDGET, **options) -> list[int]:
    """The items of which nothing was left out."""
    return [part.source for part in compress(items, budget, query=QUERY, **options).texts if part.whole]


def with_cosines(*cosines: float | None) -> list[CompressItem]:
    return [replace(item, similarity=cosine) for item, cosine in zip(ITEMS, cosines, strict=True)]


@pytest.mark.parametrize("best", [0, 1, 2])
def test_of_items_that_have_the_same_words_the_most_similar_is_kept_whole(best):
    cosines = [0.5, 0.5, 0.5]
    cosines[best] = 0.9
    assert whole(with_cosines(*cosines)) == [best]


def test_items_that_are_all_alike_keep_their_order():
    assert whole(with_cosines(0.5, 0.5, 0.5)) == whole(ITEMS) == [0]


def test_an_unknown_similarity_speaks_neither_for_an_item_nor_against_it():
    assert likeness([0.9, None, 0.5])[1] == 1.0 == likeness([None])[0]
    assert likeness([0.9, None, 0.5])[0] > 1.0 > likeness([0.9, None, 0.5])[2]
    assert item_shares([1.0, 1.0], [5, 5], likeness([None, None])) == item_shares([1.0, 1.0], [5, 5])


def test_small_differences_of_two_items_say_little():
    near, far = likeness([0.51, 0.50]), likeness([0.9, 0.5])
    assert near[0] / near[1] < 1.7
    assert far[0] / far[1] > 10


def test_the_cosines_of_hits_and_of_hits_as_mappings_count():
    hits = [
        replace(HIT, id=f"notes:{n}", text=item.text, score_breakdown={"dense": cosine})
        for n, (item, cosine) in enumerate(zip(ITEMS, (0.5, 0.5, 0.9), strict=True))
    ]
    mappings = [
        {"text": hit.text, "corpus": hit.corpus, "score_breakdown": dict(hit.score_breakdown)} for hit in hits
    ]
    assert whole(hits, LABELLED) == whole(mappings) == [2]
    assert whole([replace(hit, score_breakdown={}) for hit in hits], LABELLED) == [0]


@pytest.mark.parametrize("odd", ["0.9", True, float("nan"), float("inf"), 10**400, 12.5])
def test_a_similarity_that_is_no_cosine_is_refused(odd):
    with pytest.raises(InputError, match="the similarity of item 1 is"):
        whole(with_cosines(0.5, odd, 0.5))


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_the_numbers_of_numpy_are_cosines_too(kind):
    mappings = [
        {"text": item.text, "score_breakdown": {"dense": kind(cosine)}}
        for item, cosine in zip(ITEMS, (0.5, 0.5, 0.9), strict=True)
    ]
    assert whole(mappings) == whole(with_cosines(kind(0.5), kind(0.5), kind(0.9))) == [2]


def test_an_odd_corpus_is_none():
    given = [{"text": item.text, "corpus": ["notes"]} for item in ITEMS]
    assert whole(given) == whole(ITEMS)


def test_cosines_of_two_corpora_do_not_compare():
    hits = [
        replace(HIT, corpus=corpus, text=item.text, score_breakdown={"dense": cosine})
        for corpus, item, cosine in zip("abb", ITEMS, (0.5, 0.5, 0.9), strict=True)
    ]
    bare = [replace(hit, score_breakdown={}) for hit in hits]
    assert compress(hits, LABELLED, query=QUERY) == compress(bare, LABELLED, query=QUERY)


@pytest.mark.parametrize("odd", ["0.9", True, float("nan"), float("inf"), 10**400, 12.5, None, {"dense": 1}])
def test_what_is_no_cosine_is_none(odd):
    given = [{"text": item.text, "score_breakdown": {"dense": odd}} for item in ITEMS]
    assert (
        whole(given) == whole([{"text": item.text, "score_breakdown": odd} for item in ITEMS]) == whole(ITEMS)
    )


def test_an_embedder_tells_which_item_means_what_is_asked():
    items = [
        replace(item, title=title) for item, title in zip(ITEMS, ("Secrets", "Secrets", "Locks"), strict=True)
    ]
    assert whole(items, LABELLED) == [0]
    assert whole(items, LABELLED, embedder=Meanings()) == [2]


def test_with_a_broken_embedder_the_cosines_that_are_known_still_count():
    assert whole(with_cosines(0.5, 0.5, 0.9), embedder=Broken()) == [2]


@pytest.mark.parametrize("failing", ["said so", "not finite"])
def test_cosines_that_are_known_count_where_the_embedder_has_none(failing):
    class Failing(Meanings):
        def embed_passages(self, texts):
            rows = super().embed_passages(texts).vectors
            if failing == "not finite":
                return Embedded(np.full_like(rows, np.nan) if len(texts) > 1 else rows, {})
            return Embedded(rows, dict.fromkeys(range(len(texts)), "too long") if len(texts) > 1 else {})

    result = compress(with_cosines(None, 0.4, 0.9), BUDGET, query=QUERY, embedder=Failing())
    assert [part.source for part in result.texts if part.whole] == [2]
    assert "no part could be embedded" in result.warnings[0]


def test_a_blank_item_is_not_embedded():
    class Strict(Meanings):
        def embed_passages(self, texts):
            assert all(map(str.strip, texts))
            return super().embed_passages(texts)

    blank = CompressItem(" \n")
    assert compress([*ITEMS, blank], BUDGET, query=QUERY, embedder=Strict()).text
