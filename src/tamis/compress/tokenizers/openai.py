"""Counters for OpenAI's models, through tiktoken."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from tamis.errors import BackendError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tiktoken import Encoding


class Tiktoken:
    """Counts with one of tiktoken's encodings; text that looks like a special token is counted as text."""

    def __init__(self, name: str, encoding: Encoding) -> None:
        self.name = name
        self._encoding = encoding

    def count(self, text: str) -> int:
        return len(self._encoding.encode_ordinary(text))

    def counts(self, texts: Sequence[str]) -> list[int]:
        return [self.count(text) for text in texts]


@lru_cache(maxsize=4)
def load_tiktoken(name: str) -> Tiktoken:
    """The counter of ``o200k`` or ``cl100k``.

    tiktoken fetches an encoding's vocabulary when it is first used, and keeps it in ``TIKTOKEN_CACHE_DIR``.

    Raises:
        MissingExtraError: tiktoken is not installed.
        BackendError: The vocabulary is not in the cache and cannot be fetched.
    """
    try:
        import tiktoken
    except ImportError as error:
        raise MissingExtraError(f"tiktoken, which counts {name} tokens,", "tiktoken") from error
    try:
        encoding = tiktoken.get_encoding(f"{name}_base")
    except (OSError, ValueError) as error:  # requests' errors are OSErrors; a broken download is a ValueError
        raise BackendError(
            f"the vocabulary of {name} cannot be loaded: {type(error).__name__}",
            hint="tiktoken fetches it once over the network into TIKTOKEN_CACHE_DIR; "
            "without a network use the tokenizer bundled or chars/4",
            code="TOKENIZER_UNAVAILABLE",
        ) from error
    return Tiktoken(name, encoding)
