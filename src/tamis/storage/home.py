"""Where corpora live: ``<home>/corpora/<name>/``."""

from __future__ import annotations

import re
import shutil
import uuid
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tamis.errors import CorpusNotFoundError, InputError
from tamis.storage.connection import made, not_writable
from tamis.suggestions import SOMEWHAT_ALIKE, suggestion

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

NAME = re.compile(r"[a-zA-Z0-9_-]+\Z")
MAX_NAME = 64


class Home:
    """The folder of all corpora. Safe to use from threads."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._corpora = path / "corpora"
        self._made: dict[str, int] = {}

    def names(self) -> list[str]:
        """Names of the corpora there are, sorted; one that was begun and never made is none."""
        if not self._corpora.is_dir():
            return []
        return sorted(folder.name for folder in self._corpora.iterdir() if self._holds(folder))

    def folder(self, name: str) -> Path:
        """The folder of an existing corpus.

        Raises:
            InputError: The name is malformed.
            CorpusNotFoundError: No such corpus; lists those there are.
        """
        folder = self._corpora / checked(name)
        if not self._holds(folder):
            raise unknown(name, self.names())
        return folder

    def place(self, name: str) -> Path:
        """The folder of that name, whether a corpus was made in it or only begun; raises as ``folder``."""
        folder = self._corpora / checked(name)
        if not folder.is_dir():
            raise unknown(name, self.names())
        return folder

    def make(self, name: str) -> Path:
        """The folder of a corpus, made if it is not there.

        Raises:
            InputError: The name is malformed.
            CorpusError: It may not be made.
        """
        folder = self._corpora / checked(name)
        with self._changing():
            folder.mkdir(parents=True, exist_ok=True)
        return folder

    def remove(self, name: str) -> None:
        """Delete a corpus, or what was begun of one. It is out of sight at once, whatever happens while its files go.

        Raises:
            InputError, CorpusNotFoundError: As ``folder``.
            CorpusError: It may not be removed.
        """
        folder = self.place(name)
        grave = self._corpora / f".removed-{uuid.uuid4().hex}"
        with self._changing():
            folder.rename(grave)
        shutil.rmtree(grave, ignore_errors=True)

    def _holds(self, folder: Path) -> bool:
        """Whether a corpus was made in a folder; it is asked of the database once."""
        path = folder / "corpus.db"
        try:
            status = path.stat()
        except OSError:
            return made(path)
        if status.st_size and self._made.get(folder.name) == status.st_ino:
            return True
        if not made(path):
            return False
        self._made[folder.name] = status.st_ino
        return True

    @contextmanager
    def _changing(self) -> Generator[None]:
        try:
            yield
        except OSError as error:
            raise not_writable(self._corpora, str(error.strerror)) from error

    def sweep(self) -> None:
        """Finish removals that were interrupted."""
        for grave in self._corpora.glob(".removed-*"):
            shutil.rmtree(grave, ignore_errors=True)


def checked(name: str) -> str:
    """The name, if it may name a corpus.

    Raises:
        InputError: It may not.
    """
    if not NAME.match(name) or len(name) > MAX_NAME:
        raise InputError(
            f"{name!r} cannot name a corpus", hint=f"use 1 to {MAX_NAME} of the characters a-z A-Z 0-9 _ -"
        )
    return name


def unknown(name: str, names: list[str]) -> CorpusNotFoundError:
    """The error for a corpus that is not there, with the names there are and the nearest."""
    none = "there is no corpus yet: make one with tamis index NAME PATH"
    hint = suggestion(name, names, "corpora", alike=SOMEWHAT_ALIKE) if names else none
    return CorpusNotFoundError(f"there is no corpus {name!r}", hint=hint)
