"""Analysis of many texts: what was met before is looked up."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from tamis.lexical.analysis import analysed, chunked, normalised

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# Characters that are remembered, with _ENTRY more for what holds them: some 50 MB.
_ROOM = 10_000_000
_ENTRY = 60
_LABELS = 4096


class Lexicon:
    """The tokens of texts in one language, each with a space before it. For one thread.

    Its memory is bounded, and empties itself when it is full.
    """

    def __init__(self, language: str) -> None:
        self._language = language
        self._stems = _Memory(self._learn, 0)
        self._surface = _Memory(self._learn, 1)
        self._labels = _Memory(self._learn, 2)
        self._taken = 0
        self.label = lru_cache(_LABELS)(self._label)

    def body(self, chunks: Iterable[str]) -> tuple[str, str]:
        """The stems of a passage, and its words as they are written."""
        return "".join(map(self._stems.__getitem__, chunks)), "".join(map(self._surface.__getitem__, chunks))

    def _label(self, text: str) -> str:
        """The stems of a title, a heading or a path, and its identifiers and compounds in one piece."""
        return "".join(map(self._labels.__getitem__, chunked(normalised(text))))

    def _learn(self, chunk: str) -> tuple[str, str, str]:
        stems: list[str] = [""]
        plain: list[str] = [""]
        wholes: list[str] = [""]
        for _, each in analysed(chunk, self._language):
            stems += each.stems
            plain += each.plain
            wholes += each.wholes
        self._taken += len(chunk) + _ENTRY
        if self._taken > _ROOM:
            self._taken = 0
            for memory in (self._stems, self._surface, self._labels):
                memory.clear()
        joined, whole = " ".join(stems), " ".join(wholes)
        found = joined, " ".join(plain) + whole, joined + whole
        self._stems[chunk], self._surface[chunk], self._labels[chunk] = found
        return found


class _Memory(dict[str, str]):
    def __init__(self, learn: Callable[[str], tuple[str, str, str]], part: int) -> None:
        super().__init__()
        self._learn = learn
        self._part = part

    def __missing__(self, chunk: str) -> str:
        return self._learn(chunk)[self._part]
