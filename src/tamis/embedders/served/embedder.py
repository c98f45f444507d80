"""``ports.Embedder`` over a server."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tamis.embedders.served import canary
from tamis.embedders.served.asking import Asking, Known, retrying
from tamis.embedders.served.faults import ServedError
from tamis.embedders.served.prefixes import prefixes
from tamis.embedders.served.windows import count_tokens, windows
from tamis.errors import EmbedCountError, EmbedDriftError, EmbedError
from tamis.types import Fingerprint
from tamis.types.embedding import SERVED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tamis.embedders.served.asking import Answer
    from tamis.embedders.served.server import EmbeddingServer, ServedOptions
    from tamis.types import Embedded, Vectors

MAX_REQUEST_TOKENS = 200_000  # OpenAI refuses requests above 300,000
# How long an identity is believed, in seconds: a server may be given another model at any time, and asking it before each
# query of a session would double the requests.
BELIEVED_S = 30.0


@dataclass(frozen=True, slots=True)
class _Known:
    fingerprint: Fingerprint
    known: Known
    context: int
    until: float


class ServedEmbedder:
    """Embeds with one model of a server, under the driver's ``key``.

    A text longer than the model's context is cut into windows, whose vectors are averaged by length; one that the server
    still refuses as too long is halved until it fits, and reported as truncated.
    """

    def __init__(
        self,
        key: str,
        server: EmbeddingServer,
        options: ServedOptions,
        *,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._key = key
        self._server = server
        self._options = options
        self._sleep = sleep
        query, passage = prefixes(server.model)
        self._query_prefix = query if options.query_prefix is None else options.query_prefix
        self._passage_prefix = passage if options.passage_prefix is None else options.passage_prefix
        self._identifying = threading.Lock()
        self._found: _Known | None = None

    @property
    def fingerprint(self) -> Fingerprint:
        """Identity of the vectors, without a probe: the server is asked, at most every half minute.

        Raises:
            BackendError: The server cannot be reached or does not have the model.
            EmbedError: It has no usable vector for two ordinary texts.
        """
        return self._identity().fingerprint

    def embed_passages(self, texts: Sequence[str]) -> Embedded:
        """As the port has it.

        Raises:
            EmbedDriftError: Another model answers than the one of ``fingerprint``.
        """
        return self._embedded([self._passage_prefix + text for text in texts], self._options.timeout)

    def embed_query(self, text: str) -> Vectors:
        """As the port has it; raises as ``embed_passages``."""
        embedded = self._embedded([self._query_prefix + text], self._options.query_timeout)
        if embedded.failures:
            raise EmbedError(f"the query has no vector: {embedded.failures[0]}")
        return embedded.vectors[0]

    def _embedded(self, texts: Sequence[str], timeout: float) -> Embedded:
        from tamis.embedders.assemble import assemble

        found = self._identity()
        pieces: list[str] = []
        owners: list[int] = []
        for index, text in enumerate(texts):
            # A lone surrogate has no UTF-8.
            cut = windows(text.encode("utf-8", "replace").decode(), found.context)
            pieces += cut
            owners += [index] * len(cut)
        answers: list[list[Answer]] = [[] for _ in texts]
        for owner, answer in zip(owners, self._answers(pieces, found, timeout), strict=True):
            answers[owner].append(answer)
        return assemble(
            [_combined(parts) for parts in answers],
            len(texts),
            found.fingerprint.dimensions,
            failures={i: reason for i, parts in enumerate(answers) if (reason := _failure(parts))},
            truncated=[i for i, parts in enumerate(answers) if any(part.refused for part in parts)],
        )

    def _answers(self, pieces: Sequence[str], found: _Known, timeout: float) -> list[Answer]:
        asking = Asking(self._server, found.known, timeout, self._sleep)
        batches = _batches(pieces, self._options.batch)
        try:
            if len(batches) <= 1:
                return [answer for batch in batches for answer in asking.ask(batch)]
            workers = max(1, min(self._options.concurrency, len(batches)))
            with ThreadPoolExecutor(workers, thread_name_prefix="tamis-embed") as pool:
                return [answer for answers in pool.map(asking.ask, batches) for answer in answers]
        except EmbedDriftError:
            with self._identifying:
                self._found = None
            raise

    def _identity(self) -> _Known:
        with self._identifying:
            if self._found is None or self._found.until < time.monotonic():
                self._found = self._identify()
            return self._found

    def _identify(self) -> _Known:
        # A query may be waiting for this.
        patience = self._options.query_timeout
        try:
            identity = retrying(self._server.identify, patience, self._sleep)
            # One by one: a server that mixes up its batches would mix up these too, and never be found out.
            model, first = self._known_vector(canary.FIRST, patience)
            now, last = self._known_vector(canary.LAST, patience)
        except ServedError as fault:
            raise fault.error from fault
        if now != model or len(last) != len(first):
            raise EmbedDriftError(
                f"{self._server.model} changes from one request to the next: {model} with {len(first)} dimensions, "
                f"then {now} with {len(last)}",
                hint="are there several servers behind this address, with different models?",
            )
        fingerprint = Fingerprint(
            key=self._key,
            model=model,
            revision=identity.revision,
            dimensions=len(first),
            pooling=SERVED,
            query_prefix=self._query_prefix,
            passage_prefix=self._passage_prefix,
        )
        context = self._options.context or identity.context
        known = Known(model, first, last)
        return _Known(fingerprint, known, context, time.monotonic() + BELIEVED_S)

    def _known_vector(self, text: str, patience: float) -> tuple[str, list[float]]:
        """The name of the model that answers, and its vector of a text that goes alone."""
        reply = retrying(lambda: self._server.embed([text], patience), patience, self._sleep)
        if len(reply.rows) != 1:
            raise EmbedCountError(
                f"1 text was sent to {self._server.model} and {len(reply.rows)} vectors came back",
                hint="the embedding server is at fault",
            )
        return reply.model, _usable(reply.rows[0], self._server.model)


def _usable(row: Sequence[Any] | None, model: str) -> list[float]:
    from tamis.embedders.assemble import assemble_query

    try:
        return [float(x) for x in assemble_query(row, len(row or ()))]
    except EmbedError as error:
        raise EmbedError(
            f"{model} is of no use: {error.message}", hint="try another model, or a newer version of it"
        ) from error


def _batches(pieces: Sequence[str], size: int) -> list[list[str]]:
    batches: list[list[str]] = []
    tokens = 0
    for piece in pieces:
        tokens += (here := count_tokens(piece))
        if not batches or len(batches[-1]) >= size or tokens > MAX_REQUEST_TOKENS:
            batches.append([])
            tokens = here
        batches[-1].append(piece)
    return batches


def _failure(parts: Sequence[Answer]) -> str:
    return next((part.failure for part in parts if part.failure), "")


def _combined(parts: Sequence[Answer]) -> Any:
    from tamis.embedders.mean_direction import mean_direction

    rows = [row for part in parts for row in part.rows]
    return mean_direction(rows, [weight for part in parts for weight in part.weights])
