"""Ask a ranking function, which may be anybody's, and check what comes back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from tamis.errors import InputError, TamisError
from tamis.evaluate.gold import shortened
from tamis.types import Hit, SearchResult

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tamis.evaluate.gold import GoldQuery

    Run: TypeAlias = Callable[[str], Iterable[str | Hit] | SearchResult]

UNRANKED: Final = (str, bytes, bytearray, AbstractSet, Mapping)
"""Can be iterated over and have no best first."""


def ask(run: Run, query: GoldQuery) -> Sequence[str | Hit] | SearchResult:
    """What the function returns for a query; a ranking that comes piece by piece is waited for.

    Raises:
        InputError: It returned something that is no ranking.
        TamisError: It raised this, or something else, which is the cause.
    """
    try:
        returned = cast("object", run(query.text))
        if isinstance(returned, SearchResult):
            return returned
        ranked = isinstance(returned, Iterable) and not isinstance(returned, UNRANKED)
        results: list[object] = list(cast("Iterable[object]", returned)) if ranked else [returned]
    except TamisError as error:
        error.message = f"{_which(query)}: {error.message}"
        error.args = (error.message,)
        raise
    except Exception as error:
        # Its text may hold what must not be shown; whoever called this has it as the cause.
        told = error.strerror if isinstance(error, OSError) else None
        what = ": ".join(filter(None, (type(error).__name__, told)))
        raise TamisError(
            f"{_which(query)}: the ranking function raised {what}", hint="the exception is this one's cause"
        ) from error
    odd = [type(one).__name__ for one in results if not (ranked and isinstance(one, str | Hit))]
    if odd:
        among = " among its results" if ranked else ""
        raise InputError(
            f"{_which(query)}: the ranking function returned a value of the type {odd[0]}{among}",
            hint="return a list of hits or of names, best first, or a search's result",
        )
    return cast("list[str | Hit]", results)


def _which(query: GoldQuery) -> str:
    return f"query {query.id!r} ({shortened(query.text)})"
