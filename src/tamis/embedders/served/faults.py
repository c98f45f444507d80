"""What a server may answer in place of vectors, by what is then done. None of these leaves the package."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tamis.errors import TamisError


class ServedError(Exception):
    """``error`` is what a user is told when nothing helps."""

    def __init__(self, error: TamisError) -> None:
        super().__init__(error.message)
        self.error = error


class BusyError(ServedError):
    """The server has no time now: wait ``retry_after`` seconds, where it says so, and ask again."""

    def __init__(self, error: TamisError, retry_after: float | None = None) -> None:
        super().__init__(error)
        self.retry_after = retry_after


class TextError(ServedError):
    """The server had no usable vectors for these texts: one of them may be to blame.

    ``passing``: it may also be over in a moment.
    """

    def __init__(self, error: TamisError, *, passing: bool = False) -> None:
        super().__init__(error)
        self.passing = passing


class TooLongError(ServedError):
    """One of the texts is longer than the model's context."""
