"""An embedder without a model: texts that share words are near."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

import numpy as np

from tamis.types import Embedded, Fingerprint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tamis.types import Vectors

_WORD = re.compile(r"\w+")


class HashEmbedder:
    """Sums one random unit vector a word, seeded by the lower-cased word: the same on every machine, in microseconds.

    Two texts' inner product is about the cosine of their bags of words; ``dimensions`` blurs it (by some
    1/√dimensions). A text without a word has no direction and comes back as a failure; such a query raises nothing and
    points nowhere in particular.

    Args:
        dimensions: Of the vectors.
        model: Two embedders of different ``model`` have unrelated vectors and different fingerprints.
    """

    def __init__(self, dimensions: int = 64, model: str = "hash") -> None:
        self._fingerprint = Fingerprint("hash", model, "1", dimensions, "sum")
        self._words: dict[str, Vectors] = {}

    @property
    def fingerprint(self) -> Fingerprint:
        """Identity of the vectors."""
        return self._fingerprint

    def embed_passages(self, texts: Sequence[str]) -> Embedded:
        """One vector a text."""
        vectors = np.zeros((len(texts), self._fingerprint.dimensions), np.float32)
        failures: dict[int, str] = {}
        for i, text in enumerate(texts):
            words = _WORD.findall(text.lower())
            if words:
                vectors[i] = self._sum(words)
            else:
                failures[i] = "the text has no word"
        return Embedded(vectors, failures)

    def embed_query(self, text: str) -> Vectors:
        """The vector of ``text`` as a passage."""
        return self._sum(_WORD.findall(text.lower()) or [""])

    def _sum(self, words: list[str]) -> Vectors:
        return _unit(np.stack([self._vector(word) for word in words]).sum(axis=0))

    def _vector(self, word: str) -> Vectors:
        if word not in self._words:
            seed = f"{self._fingerprint.model}:{word}".encode(errors="replace")
            random = np.random.default_rng(int.from_bytes(hashlib.sha256(seed).digest()[:8], "big"))
            self._words[word] = _unit(random.standard_normal(self._fingerprint.dimensions))
        return self._words[word]


def _unit(vector: NDArray[np.floating]) -> Vectors:
    return (vector / np.linalg.norm(vector)).astype(np.float32)
