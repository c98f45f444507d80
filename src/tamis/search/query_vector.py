"""The query's vector."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING

from tamis.errors import BackendError, EmbedError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from tamis.search.plan import Plan
    from tamis.search.view import Searchable
    from tamis.types import Manifest, Vectors


class QueryVector:
    """Has the query embedded once, when it is first needed or earlier.

    From cold, an encoder and a dense index take a fifth of a second each to open, on a core each if they are opened side by side.
    """

    def __init__(self, searchable: Searchable, plan: Plan) -> None:
        self._searchable = searchable
        self._plan = plan
        self._future: Future[Vectors] | None = None
        self._asked: Manifest | None = None

    def begin(self, manifest: Manifest) -> None:
        """Have it embedded on another thread from now on, if there will be any use for it."""
        if self._future is None and manifest.fingerprint is not None and self._plan.query.strip():
            # Of a thread that nobody waits for: who gives up waiting need not wait for a slow server at the end either.
            Thread(target=self._asking(manifest), name="tamis-query", daemon=True).start()

    def get(self, manifest: Manifest) -> tuple[Vectors | None, str | None]:
        """The vector from the model that made the vectors in use, or why there is none.

        Raises:
            BackendError, EmbedError, MissingExtraError: In semantic mode, there is none.
        """
        if not self._plan.query.strip():
            return None, None
        if manifest.fingerprint is None:
            if self._plan.mode == "semantic":
                raise EmbedError(
                    "this corpus has no vectors yet", hint=f"make them with: tamis embed {manifest.name}"
                )
            return None, None  # the coverage of 0 says it
        if self._asked is None or self._asked.fingerprint != manifest.fingerprint:
            self._asking(manifest)()
        assert self._future is not None
        try:
            return self._future.result(), None
        except (BackendError, EmbedError, MissingExtraError) as error:
            if self._plan.mode == "semantic":
                raise
            return None, f"searched by words only: {error.message}"

    def _asking(self, manifest: Manifest) -> Callable[[], None]:
        # Not at the top: a search by words alone does without.
        from concurrent.futures import Future

        future: Future[Vectors] = Future()
        self._future, self._asked = future, manifest

        def ask() -> None:
            try:
                future.set_result(self._embedded(manifest))
            except BaseException as error:  # noqa: BLE001 - handed to who waits
                future.set_exception(error)

        return ask

    def _embedded(self, manifest: Manifest) -> Vectors:
        embedder = self._searchable.embedder(manifest.active_embedder)
        if embedder.fingerprint != manifest.fingerprint:
            raise EmbedError(
                f"{manifest.active_embedder} is another model now than the one that made this corpus's vectors",
                hint=f"embed it again with: tamis embed {manifest.name}",
            )
        return embedder.embed_query(self._plan.query)
