"""Getting rows out of a server that may be busy, late, wrong about one text, or wrong about everything."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from tamis.embedders.served import canary
from tamis.embedders.served.faults import BusyError, ServedError, TextError, TooLongError
from tamis.embedders.served.windows import SMALLEST, halves
from tamis.errors import EmbedCountError, EmbedDimensionError, EmbedDriftError, EmbedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tenacity import RetryCallState

    from tamis.embedders.served.server import EmbeddingServer, Reply

T = TypeVar("T")

ATTEMPTS = 5  # of a busy server
PASSING_ATTEMPTS = 3  # of a server that failed
FIRST_WAIT_S, LONGEST_WAIT_S = 0.25, 30.0


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the model before texts are sent: its name in replies and the vectors of the two canaries."""

    model: str
    first: Sequence[float]
    last: Sequence[float]

    @property
    def dimensions(self) -> int:
        return len(self.first)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one text: rows with their weights, or why there are none. ``refused``: it was too long as it was."""

    rows: tuple[Sequence[Any], ...] = ()
    weights: tuple[int, ...] = ()
    failure: str = ""
    refused: bool = False


@dataclass(slots=True)
class Asking:
    """Asks ``server`` for the rows of the model ``known``.

    ``sleep`` waits between attempts. ``one_by_one`` is set when the server is found to mix up a batch.
    """

    server: EmbeddingServer
    known: Known
    timeout: float
    sleep: Callable[[float], None] = field(default=time.sleep)
    one_by_one: bool = False

    def ask(self, texts: Sequence[str]) -> list[Answer]:
        """An answer for each text; what fails in company is tried in smaller company, and at last alone.

        Raises:
            EmbedError: The server's answers are unusable, whatever it is asked.
            EmbedDriftError: Another model answers.
            BackendError: The server cannot be reached, is missing the model, is late, or stays busy.
        """
        if self.one_by_one and len(texts) > 1:
            return [answer for text in texts for answer in self.ask([text])]
        try:
            rows = self._rows(texts)
        except TooLongError:
            return self._shorter(texts[0]) if len(texts) == 1 else self._split(texts)
        except TextError as fault:
            return [self._alone(fault)] if len(texts) == 1 else self._split(texts)
        return [Answer((row,), (len(text),)) for row, text in zip(rows, texts, strict=True)]

    def _split(self, texts: Sequence[str]) -> list[Answer]:
        middle = len(texts) // 2
        return [*self.ask(texts[:middle]), *self.ask(texts[middle:])]

    def _shorter(self, text: str) -> list[Answer]:
        """The answer for a text that the server found too long: that of its halves."""
        if len(text) < 2 * SMALLEST:
            return [Answer(failure="the model refuses it as too long", refused=True)]
        parts = [self.ask([half])[0] for half in halves(text)]
        failure = next((part.failure for part in parts if part.failure), "")
        rows = tuple(row for part in parts for row in part.rows)
        return [Answer(rows, tuple(w for part in parts for w in part.weights), failure, refused=True)]

    def _alone(self, fault: TextError) -> Answer:
        """The failure of a single text, if the server can still embed another one; else the server has failed."""
        try:
            self._rows([canary.FIRST])
        except ServedError:
            raise fault.error from fault
        return Answer(failure=fault.error.message)

    def _rows(self, texts: Sequence[str]) -> Sequence[Sequence[Any]]:
        asked = list(texts) if len(texts) == 1 else [canary.FIRST, *texts, canary.LAST]
        reply = retrying(lambda: self.server.embed(asked, self.timeout), self.timeout, self.sleep)
        rows = self._checked(reply, len(asked))
        if len(texts) == 1:
            return rows
        self._check_order(rows)
        return rows[1:-1]

    def _checked(self, reply: Reply, count: int) -> Sequence[Sequence[Any]]:
        if reply.model != self.known.model:
            raise EmbedDriftError(
                f"{self.server.model} was {self.known.model} and is {reply.model} now",
                hint="what was embedded is kept apart; run it again to embed everything with the new model",
            )
        if len(reply.rows) != count:
            raise TextError(
                EmbedCountError(
                    f"{count} texts were sent to {self.server.model} and {len(reply.rows)} vectors came back",
                    hint="the embedding server is at fault; what was embedded before is kept",
                )
            )
        rows: list[Sequence[Any]] = []
        for row in reply.rows:
            if reason := self._unusable(row):
                raise TextError(EmbedError(f"{self.server.model}: {reason}"))
            assert row is not None
            rows.append(row)
        return rows

    def _unusable(self, row: Sequence[Any] | None) -> str:
        import numpy as np

        if row is None or len(row) == 0:
            return "no vector came back"
        if len(row) != self.known.dimensions:
            raise EmbedDimensionError(
                f"{self.server.model} had {self.known.dimensions} dimensions and sends {len(row)} now",
                hint="the model behind this name changes; what was embedded before is kept",
            )
        try:
            length = float(np.linalg.norm(np.asarray(row, np.float64)))
        except (TypeError, ValueError):
            return "the vector holds something other than numbers"
        if not np.isfinite(length):
            return "the vector is not finite"
        return "" if length else "the vector is zero"

    def _check_order(self, rows: Sequence[Sequence[Any]]) -> None:
        if canary.same(rows[0], self.known.first) and canary.same(rows[-1], self.known.last):
            return
        if not any(canary.same(row, self.known.first) for row in rows):
            raise EmbedDriftError(
                f"the model behind {self.server.model} was exchanged: a known text has another vector now",
                hint="what was embedded is kept apart; run it again to embed everything with the new model",
            )
        self.one_by_one = True
        raise TextError(EmbedError(f"{self.server.model} returns vectors in another order than the texts"))


def retrying(call: Callable[[], T], patience: float, sleep: Callable[[float], None]) -> T:
    """What ``call`` returns, called again while the server is busy or its failure may pass.

    Args:
        patience: Seconds that all waits together may take.

    Raises:
        ServedError: It did not pass; ``BusyError`` as the error that it stands for.
    """
    import tenacity

    grow = tenacity.wait_exponential(multiplier=FIRST_WAIT_S, max=LONGEST_WAIT_S)

    def again(error: BaseException) -> bool:
        return isinstance(error, BusyError) or (isinstance(error, TextError) and error.passing)

    def wait(state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.retry_after if isinstance(error, BusyError) else None
        return grow(state) if asked is None else min(asked, LONGEST_WAIT_S)

    def enough(state: RetryCallState) -> bool:
        error = state.outcome.exception() if state.outcome else None
        attempts = ATTEMPTS if isinstance(error, BusyError) else PASSING_ATTEMPTS
        return state.attempt_number >= attempts or state.idle_for + state.upcoming_sleep > patience

    try:
        return tenacity.Retrying(
            retry=tenacity.retry_if_exception(again), wait=wait, stop=enough, sleep=sleep, reraise=True
        )(call)
    except BusyError as fault:
        raise fault.error from fault
