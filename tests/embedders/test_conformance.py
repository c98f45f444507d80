"""The suite for plug-ins lets sound embedders through and names the law that a broken one breaks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tamis.testing import HashEmbedder, check_embedder
from tamis.types import Embedded, Fingerprint

if TYPE_CHECKING:
    from collections.abc import Sequence


def test_the_hash_embedder_keeps_the_laws() -> None:
    check_embedder(HashEmbedder())


def test_texts_that_share_words_are_near_by_the_share() -> None:
    embedder = HashEmbedder(4096)
    a, b, c = embedder.embed_passages(
        ["one two three four", "one two five six", "seven eight nine ten"]
    ).vectors
    # Bags of four words with two, and none, in common.
    assert a @ b == pytest.approx(0.5, abs=0.1)
    assert a @ c == pytest.approx(0.0, abs=0.1)


class Padded(HashEmbedder):
    """Vectors move with the longest text of the batch."""

    def embed_passages(self, texts: Sequence[str]) -> Embedded:
        embedded = super().embed_passages(texts)
        moved = embedded.vectors + 1e-3 * max(map(len, texts), default=0)
        lengths = np.linalg.norm(moved, axis=1, keepdims=True)
        return Embedded((moved / lengths).astype(np.float32), embedded.failures)


class Truncating(HashEmbedder):
    """Reads the first hundred characters and says nothing of the rest."""

    def embed_passages(self, texts: Sequence[str]) -> Embedded:
        return super().embed_passages([text[:100] for text in texts])


class Unnormalised(HashEmbedder):
    def embed_passages(self, texts: Sequence[str]) -> Embedded:
        embedded = super().embed_passages(texts)
        return Embedded(embedded.vectors * 2, embedded.failures)


class Shuffled(HashEmbedder):
    def embed_passages(self, texts: Sequence[str]) -> Embedded:
        return super().embed_passages(sorted(texts))


class Double(HashEmbedder):
    def embed_query(self, text: str) -> np.ndarray:
        return super().embed_query(text).astype(np.float64)


class Nameless(HashEmbedder):
    @property
    def fingerprint(self) -> Fingerprint:
        return Fingerprint("", "", "", 64, "")


@pytest.mark.parametrize(
    ("broken", "law"),
    [
        (Padded, "batched with"),
        (Truncating, "reported as truncated"),
        (Unnormalised, "length 1"),
        (Shuffled, "broken law"),
        (Double, "a query is float32"),
        (Nameless, "driver and model"),
    ],
)
def test_a_broken_embedder_is_told_which_law_it_breaks(broken: type[HashEmbedder], law: str) -> None:
    with pytest.raises(AssertionError, match=law):
        check_embedder(broken())
