from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tamis.embedders import agree, with_probe
from tamis.testing import HashEmbedder

if TYPE_CHECKING:
    from tamis.types import Embedded, Fingerprint


class Shaken:
    """The same model on a processor that rounds otherwise."""

    def __init__(self, amount: float) -> None:
        self._inner = HashEmbedder(384)
        self._amount = amount

    @property
    def fingerprint(self) -> Fingerprint:
        return self._inner.fingerprint

    def embed_passages(self, texts: list[str]) -> Embedded:
        return self._inner.embed_passages(texts)

    def embed_query(self, text: str) -> np.ndarray:
        vector = self._inner.embed_query(text)
        noise = np.random.default_rng(0).standard_normal(len(vector)) / np.sqrt(len(vector))
        shaken = vector + self._amount * noise
        return (shaken / np.linalg.norm(shaken)).astype(np.float32)


def test_the_same_model_agrees_with_itself() -> None:
    assert agree(with_probe(HashEmbedder()), with_probe(HashEmbedder()))


def test_rounding_of_another_processor_is_forgiven_and_no_more() -> None:
    here = with_probe(HashEmbedder(384))
    assert agree(here, with_probe(Shaken(0.05)))
    assert not agree(here, with_probe(Shaken(1.0)))


def test_another_model_behind_the_same_name_does_not_agree() -> None:
    other = replace(with_probe(HashEmbedder(model="other")), model="hash")
    assert not agree(with_probe(HashEmbedder()), other)


def test_fingerprints_of_different_names_do_not_agree_whatever_the_probe() -> None:
    probed = with_probe(HashEmbedder())
    assert not agree(probed, replace(probed, revision="2"))


def test_without_a_probe_on_either_side_the_rest_decides() -> None:
    embedder = HashEmbedder()
    assert agree(embedder.fingerprint, with_probe(embedder))
    assert agree(with_probe(embedder), embedder.fingerprint)


def test_a_probe_takes_no_part_in_equality() -> None:
    embedder = HashEmbedder()
    assert embedder.fingerprint == with_probe(embedder)
    assert len({embedder.fingerprint, with_probe(embedder)}) == 1
