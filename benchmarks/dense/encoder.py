"""Throughput of ``embed_passages`` beside the same model run bare, and latency of a query."""

from __future__ import annotations

import resource
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from tamis import embedders
from tamis.embedders import bundled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

WORDS = (
    "the key of a corpus is rotated when its owner asks for it and every index reads what was written before"
)
# As an index run sends them.
BATCH = 128
ROUNDS = 3


def encoder(cache: Path, threads: int) -> Iterator[str]:
    """The lines of the report, texts of 20 to 380 tokens."""
    texts = [_text(n, seed) for seed, n in enumerate(np.random.default_rng(0).integers(20, 380, 2 * BATCH))]
    embedder = embedders.get("bundled", cache=cache, threads=threads)
    embedder.embed_passages(texts[:4])
    bare = Bare(threads)
    bare(texts[:4])
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(ROUNDS):
        begun = perf_counter()
        for start in range(0, len(texts), BATCH):
            embedder.embed_passages(texts[start : start + BATCH])
        middle = perf_counter()
        bare(texts)
        ours.append(len(texts) / (middle - begun))
        theirs.append(len(texts) / (perf_counter() - middle))
    yield f"embed_passages {max(ours):6.1f} texts/s, the model bare {max(theirs):6.1f}: {max(ours) / max(theirs):.0%}"
    times: list[float] = []
    for text in texts[:100]:
        begun = perf_counter()
        embedder.embed_query(text[:50])
        times.append((perf_counter() - begun) * 1e3)
    yield f"embed_query p50 {np.median(times):.1f} ms (50 characters)"
    yield f"largest memory of the process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB"


class Bare:
    """onnxruntime and tokenizers with nothing around them: one text a run, a thread a core."""

    def __init__(self, threads: int) -> None:
        description = bundled.describe(bundled.folder())
        self._tokenizer = Tokenizer.from_file(str(description.tokenizer))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            str(description.model), options, providers=["CPUExecutionProvider"]
        )
        self._pool = ThreadPoolExecutor(threads)

    def __call__(self, texts: Sequence[str]) -> None:
        list(self._pool.map(self._run, texts))

    def _run(self, text: str) -> None:
        ids = np.array([self._tokenizer.encode(text).ids])
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        self._session.run(None, feed)


def _text(words: int, seed: int) -> str:
    return " ".join(np.random.default_rng(seed).choice(WORDS.split(), words).tolist())
