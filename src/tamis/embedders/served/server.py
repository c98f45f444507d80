"""What an embedder needs of a server, and what may be set for one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from tamis.errors import ConfigError
from tamis.suggestions import suggestion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Identity(NamedTuple):
    """The model that a server has under a name: ``revision`` is its digest, ``context`` its limit in tokens, each empty or
    0 where the server does not tell."""

    revision: str = ""
    context: int = 0


class Reply(NamedTuple):
    """A row for each text, as the server sent them, and the name of the model that it says made them."""

    rows: Sequence[Sequence[Any] | None]
    model: str


class EmbeddingServer(Protocol):
    """One model of one server, asked through the server's own client. Safe to call from several threads."""

    @property
    def model(self) -> str:
        """The name that the user gave."""
        ...

    def identify(self) -> Identity:
        """What is behind the name now.

        Raises:
            BackendError: The server cannot be reached or does not have the model.
        """
        ...

    def embed(self, texts: Sequence[str], timeout: float) -> Reply:
        """One request, which waits ``timeout`` seconds for an answer at most and is not tried again.

        Raises:
            ServedError: Of the kind that says what can be done.
            BackendError: The server cannot be reached, is late or does not have the model.
        """
        ...


@dataclass(frozen=True, slots=True)
class ServedOptions:
    """``[embedder.KEY]`` of the configuration; what is ``None`` is the driver's or the model's own.

    ``timeout`` and ``query_timeout``: seconds that a batch and a query may take. ``batch``: texts in a request.
    ``concurrency``: requests at a time. ``context``: tokens that fit. ``dimensions``: asked of a model that can shorten its vectors.
    """

    url: str | None = None
    key_env: str | None = None
    timeout: float = 120.0
    query_timeout: float = 30.0
    batch: int = 32
    concurrency: int = 4
    context: int | None = None
    dimensions: int | None = None
    query_prefix: str | None = None
    passage_prefix: str | None = None


def served_options(options: Mapping[str, Any]) -> ServedOptions:
    """The options of a driver; those that are ``None`` count as left out.

    Raises:
        ConfigError: One of them is unknown.
    """
    known = ServedOptions.__dataclass_fields__
    for name in options:
        if name not in known:
            raise ConfigError(f"unknown option {name!r} of an embedder", hint=suggestion(name, sorted(known)))
    return ServedOptions(**{name: value for name, value in options.items() if value is not None})
