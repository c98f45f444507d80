"""Calls into the engine, whose failures come as many kinds of exceptions."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from tamis.errors import CorpusError

if TYPE_CHECKING:
    from collections.abc import Generator


@contextmanager
def calls(what: str) -> Generator[None]:
    """Turns what the engine raises into one error.

    Raises:
        CorpusError: The engine refused, or met what it thought impossible, as it does in a damaged index.
    """
    try:
        yield
    except (ValueError, OSError) as error:
        raise _failure(what, error) from error
    except BaseException as error:
        # A panic of Rust code; its class is not exported, and is no Exception so that nothing hides it by mistake.
        if type(error).__module__ != "pyo3_runtime":
            raise
        raise _failure(what, error) from error


def _failure(what: str, error: BaseException) -> CorpusError:
    return CorpusError(
        f"{what}: {error}", hint="it is made anew from the stored text by: tamis index or tamis refresh"
    )
