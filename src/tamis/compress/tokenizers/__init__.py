"""Token counters by name: ``bundled``, ``o200k``, ``cl100k``, ``chars/4`` or the path of a ``tokenizer.json``."""

from __future__ import annotations

from tamis.compress.tokenizers.counter import TokenCounter
from tamis.errors import InputError

__all__ = ["TokenCounter", "counter"]

_ENCODINGS = {"o200k": "o200k", "o200k_base": "o200k", "cl100k": "cl100k", "cl100k_base": "cl100k"}


def counter(tokenizer: str | TokenCounter) -> TokenCounter:
    """The counter of this name; a counter is returned as it is.

    Raises:
        InputError: No counter has this name, and no file either.
        MissingExtraError: It needs a package that is not installed.
        BackendError: It needs a vocabulary that cannot be fetched.
    """
    if not isinstance(tokenizer, str):
        return tokenizer
    if tokenizer == "bundled":
        from tamis.compress.tokenizers.tokenizer_json import load_bundled

        return load_bundled()
    if tokenizer == "chars/4":
        from tamis.compress.tokenizers.chars import CharacterEstimate

        return CharacterEstimate()
    if tokenizer in _ENCODINGS:
        from tamis.compress.tokenizers.openai import load_tiktoken

        return load_tiktoken(_ENCODINGS[tokenizer])
    if tokenizer.endswith(".json"):
        from tamis.compress.tokenizers.tokenizer_json import load_file

        return load_file(tokenizer)
    raise InputError(
        f"there is no tokenizer {tokenizer!r}",
        hint="use bundled, o200k, cl100k, chars/4 or the path of a tokenizer.json",
    )
