"""Running the model: one pair a run, unpadded, a worker for each core.

Activations are quantised dynamically, by the largest value in a run, so that padding or company in a batch moves a
score (by up to 0.09 of a logit, as measured). Alone, a pair's score depends on the pair. Batches of pairs of similar
length gained no time either.
"""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from tamis.errors import RerankError
from tamis.rerank.crossencoder.windows import PairTokenizer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizers import Encoding

    from tamis.rerank.crossencoder.source import ModelFiles


class CrossEncoder:
    """A loaded model; safe to use from several threads.

    Raises:
        RerankError: The files are not a model that scores pairs.
    """

    def __init__(
        self, files: ModelFiles, *, threads: int | None = None, max_tokens: int | None = None
    ) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            self._session: Any = onnxruntime.InferenceSession(
                str(files.model), options, providers=["CPUExecutionProvider"]
            )
            self._pairs = PairTokenizer(
                Tokenizer.from_file(str(files.tokenizer)),
                min(files.max_tokens, max_tokens or files.max_tokens),
            )
        except Exception as error:  # both libraries raise bare exceptions of their own
            raise RerankError(f"cross_encoder: {files.model.parent} does not load: {error}") from error
        self._inputs = {one.name for one in self._session.get_inputs()}
        self._threads = threads or _cores()

    def scores(self, query: str, passages: Sequence[str], *, deadline: float) -> list[float | None]:
        """A logit for each passage, that of its best window; ``None`` from where the time was up.

        Args:
            deadline: Instant of ``time.monotonic()``.

        Raises:
            RerankError: The model does not give one number for a pair.
        """
        late = threading.Event()
        query = _whole(query)

        def score(passage: str) -> float | None:
            best = None
            for window in self._pairs.windows(query, _whole(passage)):
                if late.is_set() or time.monotonic() > deadline:
                    late.set()  # the other workers stop at their next window
                    return None
                logit = self._run(window)
                best = logit if best is None else max(best, logit)
            return best

        if self._threads == 1 or len(passages) <= 1:
            return [score(passage) for passage in passages]
        with ThreadPoolExecutor(min(self._threads, len(passages)), thread_name_prefix="tamis-rerank") as pool:
            return list(pool.map(score, passages))

    def _run(self, window: Encoding) -> float:
        import numpy as np

        feed = {
            "input_ids": window.ids,
            "attention_mask": window.attention_mask,
            "token_type_ids": window.type_ids,
        }
        tensors = {
            name: np.array([ids], dtype=np.int64) for name, ids in feed.items() if name in self._inputs
        }
        logits = np.asarray(self._session.run(None, tensors)[0]).reshape(-1)
        if logits.size == 1:
            return float(logits[0])
        if logits.size == 2:  # "irrelevant" and "relevant": their difference orders as the probability does
            return float(logits[1] - logits[0])
        raise RerankError("cross_encoder: the model gives no single score for a pair")


@lru_cache(maxsize=2)
def load(files: ModelFiles, threads: int, max_tokens: int) -> CrossEncoder:
    """The model, loaded once a process; the two used last stay."""
    return CrossEncoder(files, threads=threads or None, max_tokens=max_tokens or None)


def _cores() -> int:
    affinity = cast("Any", getattr(os, "sched_getaffinity", None))
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _whole(text: str) -> str:
    """The text with a question mark for each half of a surrogate pair, which the tokenizer refuses."""
    return text.encode("utf-8", "replace").decode()
