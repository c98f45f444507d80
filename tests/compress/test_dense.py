"""What an embedder adds, and what happens without it."""

from __future__ import annotations

import numpy as np

from tamis.compress import compress
from tamis.errors import UnreachableError
from tamis.types import Embedded, Fingerprint

TEXT = (
    "The canteen opens at noon. Secrets are replaced four times a year. Nobody has seen the cat. "
    "Keys hang on the wall. Bread is baked in the morning. The hall is painted green."
)
MEANINGS = {"secret": 0, "credential": 0, "rotat": 1, "replac": 1, "often": 2, "times": 2}


class Meanings:
    """An embedder that knows three meanings."""

    fingerprint = Fingerprint("fake", "fake", "1", 4, "none")

    def __init__(self, failures: dict[int, str] | None = None) -> None:
        self.failures = failures or {}

    def embed_query(self, text: str):
        return self.embed_passages([text]).vectors[0]

    def embed_passages(self, texts):
        rows = np.full((len(texts), 4), 0.1, dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word, meaning in MEANINGS.items():
                row[meaning] += word in text.lower()
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return Embedded(rows, self.failures)


class Broken(Meanings):
    def embed_passages(self, texts):
        raise UnreachableError("the embedder is away")


QUERY = "how often do we rotate credentials"


def test_meaning_finds_what_words_do_not():
    assert "replaced" not in compress(TEXT, 12, query=QUERY).text
    assert (
        "Secrets are replaced four times a year." in compress(TEXT, 12, query=QUERY, embedder=Meanings()).text
    )


def test_a_broken_embedder_is_a_warning_and_the_words_decide():
    result = compress(TEXT, 12, query=QUERY, embedder=Broken())
    assert result.text == compress(TEXT, 12, query=QUERY).text
    assert "the embedder is away" in result.warnings[0]


def test_a_candidate_that_could_not_be_embedded_goes_by_its_words():
    result = compress(TEXT, 12, query=QUERY, embedder=Meanings(dict.fromkeys(range(6), "too long")))
    assert result.text == compress(TEXT, 12, query=QUERY).text
    assert result.warnings
