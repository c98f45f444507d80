"""Documents, vectors and queries of any number, the same on every machine."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tamis.types import Embedded, Fingerprint

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

DIMENSIONS = 384
CLUSTERS = 512
VOCABULARY = 60_000
WORDS_A_CHUNK = 95
CHUNKS_A_FILE = 10


class RandomEmbedder:
    """Vectors as an encoder's are spread, without an encoder: near one of some hundred centres, by the hash of the text."""

    def __init__(self) -> None:
        random = np.random.default_rng(7)
        centres = random.standard_normal((CLUSTERS, DIMENSIONS)).astype(np.float32)
        self._centres = centres / np.linalg.norm(centres, axis=1, keepdims=True)
        self.fingerprint = Fingerprint("random", "random", "1", DIMENSIONS, "none")

    def embed_passages(self, texts: Sequence[str]) -> Embedded:
        return Embedded(np.stack([self.embed_query(text) for text in texts]))

    def embed_query(self, text: str) -> NDArray[np.float32]:
        seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
        random = np.random.default_rng(seed)
        vector = self._centres[seed % CLUSTERS] + 0.7 * random.standard_normal(
            DIMENSIONS, np.float32
        ) / np.sqrt(DIMENSIONS)
        return (vector / np.linalg.norm(vector)).astype(np.float32)


@dataclass(frozen=True)
class Text:
    """Sections of made-up words whose frequencies follow Zipf's law."""

    words: list[str]
    weights: NDArray[np.float64]

    @classmethod
    def make(cls) -> Text:
        random = np.random.default_rng(11)
        letters = np.array(list("etaoinshrdlucmfwypvbgk"))
        words = sorted({"".join(random.choice(letters, random.integers(3, 11))) for _ in range(VOCABULARY)})
        random.shuffle(words)
        weights = 1.0 / np.arange(10, len(words) + 10)
        return cls(words, weights / weights.sum())

    def section(self, number: int) -> str:
        random = np.random.default_rng(number)
        drawn = random.choice(len(self.words), WORDS_A_CHUNK, p=self.weights)
        return " ".join(self.words[index] for index in drawn)

    def queries(self, count: int) -> list[str]:
        """Four to nine words each, as common as those of the texts: what a question in plain words looks like to an index."""
        random = np.random.default_rng(13)
        return [
            " ".join(
                self.words[index]
                for index in random.choice(len(self.words), random.integers(4, 10), p=self.weights)
            )
            for _ in range(count)
        ]


def write_files(folder: Path, chunks: int) -> list[str]:
    """Markdown files of ten sections; the text of each section, in order."""
    text = Text.make()
    sections: list[str] = []
    for first in range(0, chunks, CHUNKS_A_FILE):
        own = [text.section(number) for number in range(first, min(first + CHUNKS_A_FILE, chunks))]
        path = folder / f"{first // 1000:04d}" / f"{first:07d}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            "".join(f"# Section {first + at}\n\n{body}\n\n" for at, body in enumerate(own)), encoding="utf-8"
        )
        sections += own
    return sections
