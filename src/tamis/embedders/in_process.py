"""``ports.Embedder`` over two functions of a library that runs its model in this process."""

from __future__ import annotations

import threading
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from tamis.embedders.served.windows import windows
from tamis.errors import BackendError, EmbedError, TamisError
from tamis.types import Fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tamis.types import Embedded, Vectors


class Functions(NamedTuple):
    """What a library's model does: raw rows of passages, the raw row of a query; and the tokens that fit, 0 if not known."""

    passages: Callable[[Sequence[str]], Any]
    query: Callable[[str], Any]
    context: int


class InProcessEmbedder:
    """Embeds with what ``load`` gives, which is called when it is first needed; by one thread at a time.

    A text longer than the model takes is cut into windows, whose vectors are averaged by length.
    """

    def __init__(self, key: str, model: str, load: Callable[[], Functions]) -> None:
        self._key = key
        self._model = model
        self._load = load
        self._working = threading.Lock()
        self._functions: Functions | None = None
        self._found: Fingerprint | None = None

    @property
    def fingerprint(self) -> Fingerprint:
        """Identity of the vectors; loads the model.

        Raises:
            MissingExtraError: The library is not installed.
            BackendError: The model cannot be loaded.
        """
        if self._found is None:
            dimensions = len(self._call(lambda functions: functions.query("dimensions")))
            self._found = Fingerprint(self._key, self._model, "", dimensions, "library")
        return self._found

    def embed_passages(self, texts: Sequence[str]) -> Embedded:
        """As the port has it."""
        from tamis.embedders.assemble import assemble
        from tamis.embedders.mean_direction import mean_direction

        dimensions = self.fingerprint.dimensions
        context = self._call(lambda functions: functions.context)
        split = [windows(_clean(text), context) for text in texts]
        pieces = list(chain.from_iterable(split))
        rows = iter(self._call(lambda functions: functions.passages(pieces)) if pieces else ())
        combined = [mean_direction([next(rows) for _ in cut], [len(piece) for piece in cut]) for cut in split]
        return assemble(combined, len(texts), dimensions)

    def embed_query(self, text: str) -> Vectors:
        """As the port has it."""
        from tamis.embedders.assemble import assemble_query

        return assemble_query(
            self._call(lambda functions: functions.query(_clean(text))), self.fingerprint.dimensions
        )

    def _call(self, call: Callable[[Functions], Any]) -> Any:
        with self._working:
            if self._functions is None:
                try:
                    self._functions = self._load()
                except TamisError:
                    raise
                except Exception as error:
                    raise BackendError(
                        f"{self._key} cannot load {self._model}: {error}",
                        hint="check the name; a model that is not on this machine needs the network once",
                        retryable=False,
                    ) from error
            try:
                return call(self._functions)
            except (RuntimeError, ValueError, TypeError) as error:
                raise EmbedError(f"{self._model} failed: {error}") from error


def _clean(text: str) -> str:
    """A lone surrogate has no UTF-8, which the tokenizers want."""
    return text.encode("utf-8", "replace").decode()
