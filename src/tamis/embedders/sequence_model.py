"""An ONNX text encoder: token ids in, one vector for each input out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tamis.errors import ConfigError, EmbedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray
    from onnxruntime import InferenceSession

    from tamis.embedders.description import Pooling

    Ids = NDArray[np.integer[Any]]

_INTEGERS = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
# By name, best first: a whole text's vector needs no pooling.
_OUTPUTS = ("sentence_embedding", "last_hidden_state", "token_embeddings")

_FEEDS: dict[str, Callable[[Ids], Ids]] = {
    "input_ids": lambda ids: ids,
    "attention_mask": np.ones_like,
    "token_type_ids": np.zeros_like,
    "position_ids": lambda ids: np.broadcast_to(np.arange(ids.shape[1], dtype=ids.dtype), ids.shape),
}

_POOLS: dict[Pooling, Callable[[NDArray[np.float32]], NDArray[np.float32]]] = {
    "cls": lambda states: states[:, 0],
    "mean": lambda states: states.mean(axis=1),
    "last": lambda states: states[:, -1],
}


class SequenceModel:
    """Runs a session on inputs of one length, so there is no padding and nothing to mask.

    Raises:
        ConfigError: The model asks for inputs that no text encoder has.
    """

    def __init__(self, session: InferenceSession, pooling: Pooling) -> None:
        self._session = session
        self._pool = _POOLS[pooling]
        self._inputs = {i.name: _INTEGERS.get(i.type) for i in session.get_inputs()}
        strange = [n for n, kind in self._inputs.items() if n not in _FEEDS or kind is None]
        if strange:
            raise ConfigError(
                f"the model asks for {', '.join(strange)}, which tamis cannot give",
                hint=f"an encoder takes integers called {', '.join(_FEEDS)}; export it so",
            )
        outputs = {o.name: o.shape for o in session.get_outputs()}
        self._output = next((name for name in _OUTPUTS if name in outputs), next(iter(outputs)))
        width = outputs[self._output][-1]
        self.dimensions = width if isinstance(width, int) else self.run([[0]]).shape[1]

    def run(self, inputs: Sequence[list[int]]) -> NDArray[np.float32]:
        """Pooled vectors, shape (inputs, dimensions), of inputs that have the same number of tokens.

        Raises:
            EmbedError: The model failed.
        """
        ids = np.array(inputs)
        feed = {name: _FEEDS[name](ids.astype(kind)) for name, kind in self._inputs.items()}
        try:
            states = self._session.run([self._output], feed)[0]
        except Exception as error:  # onnxruntime's errors have no base of their own
            raise EmbedError(f"the model failed on an input of {ids.shape[1]} tokens: {error}") from error
        vectors = self._pool(states) if states.ndim == 3 else states
        return vectors.astype(np.float32, copy=False)
