"""The laws of ``ports.Embedder``, to be run against any implementation."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from tamis.ports import Embedder

TEXTS = (
    "The key is rotated every ninety days.",
    "rotate",
    "Longer than the others, so that in a padded batch it decides how far they are padded. " * 3,
    "Ключи меняют раз в квартал. 鑰匙每季更換一次。 กุญแจ",
    "def rotate(key: Key) -> Key:\n    return Key(key.id + 1)\n",
    "The key is rotated every ninety days.",
)
LONG = "The river carries the boats past the mill and the old stone bridge. " * 60
ENDING = "Photosynthesis turns light, water and carbon dioxide into sugar and oxygen. " * 20


def check_embedder(embedder: Embedder, *, tolerance: float = 0.0) -> None:
    """Raise ``AssertionError`` with the law that ``embedder`` breaks, if it breaks one.

    Embeds some fifty texts, two of them long.

    Args:
        embedder: To be checked.
        tolerance: How far a component may move with what a text was batched with. Laws have none; a remote model whose
            batching is out of reach may have a little.
    """
    for law in _LAWS:
        law(embedder, tolerance)


def _fingerprint_is_stable(embedder: Embedder, _: float) -> None:
    fingerprint = embedder.fingerprint
    _law(fingerprint.dimensions > 0, "the fingerprint names the dimensions")
    _law(bool(fingerprint.key and fingerprint.model), "the fingerprint names driver and model")
    embedder.embed_query("something")
    _law(embedder.fingerprint == fingerprint, "the fingerprint is the same after embedding as before")


def _vectors_are_units_in_order(embedder: Embedder, _: float) -> None:
    embedded = embedder.embed_passages(TEXTS)
    vectors = embedded.vectors
    _law(
        vectors.shape == (len(TEXTS), embedder.fingerprint.dimensions),
        "one row a text, as wide as the fingerprint says",
    )
    _law(vectors.dtype == np.float32, "vectors are float32")
    _law(not embedded.failures and not embedded.truncated, "ordinary texts neither fail nor are cut")
    _law(bool(np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)), "vectors have length 1")
    _law(bool(np.array_equal(vectors[0], vectors[-1])), "equal texts have equal vectors")
    _law(not np.allclose(vectors[0], vectors[1], atol=1e-3), "different texts have different vectors")


def _company_does_not_matter(embedder: Embedder, tolerance: float) -> None:
    together = embedder.embed_passages(TEXTS).vectors
    backwards = embedder.embed_passages(TEXTS[::-1]).vectors[::-1]
    alone = np.concatenate([embedder.embed_passages([text]).vectors for text in TEXTS])
    for other in (backwards, alone):
        _law(
            bool(np.abs(together - other).max() <= tolerance),
            "a vector does not depend on what it was batched with",
        )


def _threads_do_not_matter(embedder: Embedder, tolerance: float) -> None:
    expected = embedder.embed_passages(TEXTS).vectors
    with ThreadPoolExecutor(4) as pool:
        calls = [pool.submit(embedder.embed_passages, TEXTS) for _ in range(4)]
        for call in calls:
            vectors = call.result().vectors
            _law(
                bool(np.abs(expected - vectors).max() <= tolerance),
                "calls from several threads do not disturb each other",
            )


def _queries_are_vectors(embedder: Embedder, _: float) -> None:
    query = embedder.embed_query(TEXTS[0])
    _law(
        query.shape == (embedder.fingerprint.dimensions,),
        "a query is one vector, as wide as the fingerprint says",
    )
    _law(query.dtype == np.float32, "a query is float32")
    _law(bool(abs(np.linalg.norm(query) - 1) < 1e-4), "a query has length 1")
    scores = embedder.embed_passages(TEXTS[:3]).vectors @ query
    _law(bool(scores[0] > scores[2]), "a query is nearer to the same words than to others")


def _nothing_is_lost_in_silence(embedder: Embedder, _: float) -> None:
    embedded = embedder.embed_passages([LONG, LONG + ENDING])
    _law(not embedded.failures, "long texts do not fail")
    heard = not np.allclose(embedded.vectors[0], embedded.vectors[1], atol=1e-3)
    _law(
        heard or 1 in embedded.truncated,
        "the end of a long text counts, or the text is reported as truncated",
    )


def _odd_texts_are_embedded_or_reported(embedder: Embedder, _: float) -> None:
    odd = ["", " \n\t", "\x00", "\ud800 lone", "a" * 2000, "🧂" * 50]
    embedded = embedder.embed_passages(odd)
    lengths = np.linalg.norm(embedded.vectors, axis=1)
    for i, length in enumerate(lengths):
        fine = length == 0 if i in embedded.failures else abs(length - 1) < 1e-4
        _law(bool(fine), f"{odd[i][:10]!r} has a vector, or a failure and a row of zeros")


def _no_texts_no_vectors(embedder: Embedder, _: float) -> None:
    vectors = embedder.embed_passages([]).vectors
    _law(vectors.shape == (0, embedder.fingerprint.dimensions), "no texts give no rows of the right width")


_LAWS: tuple[Callable[[Embedder, float], None], ...] = (
    _fingerprint_is_stable,
    _vectors_are_units_in_order,
    _company_does_not_matter,
    _threads_do_not_matter,
    _queries_are_vectors,
    _nothing_is_lost_in_silence,
    _odd_texts_are_embedded_or_reported,
    _no_texts_no_vectors,
)


def _law(holds: bool, sentence: str) -> None:
    if not holds:
        raise AssertionError(f"broken law: {sentence}")
