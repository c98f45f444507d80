"""From the rows that a model gave to vectors that can be used: the one place where they are checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tamis.errors import EmbedCountError, EmbedDimensionError, EmbedError
from tamis.types import Embedded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from tamis.types import Vectors


def assemble(
    rows: Sequence[Sequence[Any] | NDArray[Any] | None],
    count: int,
    dimensions: int,
    *,
    failures: Mapping[int, str] | None = None,
    truncated: Sequence[int] = (),
) -> Embedded:
    """Check and normalise one row for each of ``count`` texts.

    Args:
        rows: In the order of the texts; ``None`` where the model gave nothing.
        count: Number of texts.
        dimensions: Of each row.
        failures: What went wrong already, by index; those rows are not looked at.
        truncated: As ``Embedded.truncated``.

    Raises:
        EmbedCountError: Not one row a text, so no row can be trusted to be of its text.
        EmbedDimensionError: A row of another width.
    """
    if len(rows) != count:
        raise EmbedCountError(f"{count} texts went in and {len(rows)} vectors came back")
    failed = dict(failures or {})
    vectors = np.zeros((count, dimensions), np.float32)
    for i, row in enumerate(rows):
        if i in failed:
            continue
        try:
            vectors[i] = _unit(row, dimensions)
        except _UnusableError as reason:
            failed[i] = str(reason)
    return Embedded(vectors, failed, tuple(truncated))


def assemble_query(row: Sequence[Any] | NDArray[Any] | None, dimensions: int) -> Vectors:
    """As ``assemble`` for one row, which must be usable.

    Raises:
        EmbedError: It is not.
        EmbedDimensionError: It has another width.
    """
    embedded = assemble([row], 1, dimensions)
    if embedded.failures:
        raise EmbedError(f"the query has no vector: {embedded.failures[0]}")
    return embedded.vectors[0]


class _UnusableError(Exception):
    pass


def _unit(row: Sequence[Any] | NDArray[Any] | None, dimensions: int) -> NDArray[np.float64]:
    if row is None or len(row) == 0:
        raise _UnusableError("no vector came back")
    if len(row) != dimensions:
        raise EmbedDimensionError(
            f"a vector has {len(row)} dimensions, not {dimensions}",
            hint="the model behind this name has changed; index again with the model that is there now",
        )
    try:
        # Sums of squares of float32 overflow where float64 does not.
        values = np.asarray(row, np.float64)
    except (TypeError, ValueError) as error:
        raise _UnusableError("the vector holds something other than numbers") from error
    length = np.sqrt(np.dot(values, values))
    if not np.isfinite(length):
        raise _UnusableError("the vector is not finite")
    if length == 0:
        raise _UnusableError("the vector is zero")
    return values / length
