"""From a text to the windows of tokens that a model takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizers import Tokenizer

from tamis.embedders.description import OVERLAP
from tamis.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

# Bounds what one text can cost: about 28,000 tokens, or 10 seconds with the bundled model. The rest is cut, and said so.
MAX_WINDOWS = 64


@dataclass(frozen=True, slots=True)
class Windows:
    """A text as inputs of the model, special tokens included; none when there is nothing to put in.

    ``cut``: the end of the text is in none of them.
    """

    ids: tuple[list[int], ...]
    cut: bool = False


class Tokens:
    """A tokenizer file and the longest input that its model takes.

    Raises:
        ConfigError: The file is not a tokenizer's, or the model takes no more than the special tokens.
    """

    def __init__(self, path: Path, max_tokens: int) -> None:
        try:
            self._tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:  # the library raises nothing narrower
            raise ConfigError(f"{path} is not a tokenizer that can be read: {error}") from error
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        # "[SEP]" in a document is five characters, not the end of the input.
        self._tokenizer.encode_special_tokens = True
        self._before, self._after = self._special_tokens()
        self._room = max_tokens - len(self._before) - len(self._after)
        if self._room <= OVERLAP:
            raise ConfigError(f"max_tokens is {max_tokens}, which leaves no room for text")

    def windows(self, text: str, prefix: str = "") -> Windows:
        """The text after ``prefix``; when it is too long, overlapping windows of it, each after ``prefix``.

        Raises:
            ConfigError: The prefix alone is too long.
        """
        whole = self._encode(prefix + text)
        if len(whole) <= self._room:
            ids = self._input(whole)
            return Windows((ids,) if ids else ())
        lead, body = (self._encode(prefix), self._encode(text)) if prefix else ([], whole)
        size = self._room - len(lead)
        if size <= OVERLAP:
            raise ConfigError(f"the prefix {prefix!r} leaves no room for text")
        starts = range(0, max(len(body) - OVERLAP, 1), size - OVERLAP)
        inputs = tuple(self._input([*lead, *body[at : at + size]]) for at in starts[:MAX_WINDOWS])
        return Windows(inputs, cut=len(starts) > MAX_WINDOWS)

    def _encode(self, text: str) -> list[int]:
        if not text.isascii():
            # The tokenizer takes UTF-8 only; a lone surrogate, as in a file name that is none, becomes "?".
            text = text.encode(errors="replace").decode()
        return self._tokenizer.encode(text, add_special_tokens=False).ids

    def _input(self, ids: list[int]) -> list[int]:
        return [*self._before, *ids, *self._after]

    def _special_tokens(self) -> tuple[list[int], list[int]]:
        bare = self._tokenizer.encode("a", add_special_tokens=False).ids
        full = self._tokenizer.encode("a").ids
        before = next((i for i in range(len(full)) if full[i : i + len(bare)] == bare), None)
        if before is None:
            return [], []
        return full[:before], full[before + len(bare) :]
