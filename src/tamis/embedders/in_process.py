"""``ports.Embedder`` over two functions of a library that runs its model in this process."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, TypeAlias

from tamis.errors import BackendError, EmbedError, TamisError
from tamis.types import Fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tamis.types import Embedded, Vectors

    Functions: TypeAlias = tuple[Callable[[Sequence[str]], Any], Callable[[str], Any]]


class InProcessEmbedder:
    """Embeds with what ``load`` gives: a function of passages and one of a query, each to raw rows.

    Loaded when it is first needed, called by one thread at a time. The library cuts what is longer than the model takes.
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
            dimensions = len(self._call(lambda functions: functions[1]("dimensions")))
            self._found = Fingerprint(self._key, self._model, "", dimensions, "library")
        return self._found

    def embed_passages(self, texts: Sequence[str]) -> Embedded:
        """As the port has it."""
        from tamis.embedders.assemble import assemble

        dimensions = self.fingerprint.dimensions
        clean = [_clean(text) for text in texts]
        rows: Any = self._call(lambda functions: functions[0](clean)) if clean else ()
        return assemble(rows, len(texts), dimensions)

    def embed_query(self, text: str) -> Vectors:
        """As the port has it."""
        from tamis.embedders.assemble import assemble_query

        return assemble_query(
            self._call(lambda functions: functions[1](_clean(text))), self.fingerprint.dimensions
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
