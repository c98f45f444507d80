"""Streams: the same result as from memory, in bounded memory."""

from __future__ import annotations

import hashlib
import tracemalloc

import pytest

from tamis.compress import compress, compress_stream, counter

NEEDLE = "The signing key of the northern gate is rotated every ninety days."


def lines(count: int):
    for number in range(count):
        yield f"Entry {number} says that the weather in town {number % 97} was fair and the bakery open.\n"
        if number % 10 == 9:
            yield "\n"
        if number == count // 2:
            yield f"\n{NEEDLE}\n\n"


def test_a_short_stream_is_compressed_like_its_text():
    text = "".join(lines(40))
    for query in (None, "signing key"):
        from_stream = compress_stream((text[i : i + 7] for i in range(0, len(text), 7)), 80, query=query)
        assert from_stream == compress(text, 80, query=query)


@pytest.mark.parametrize("query", [None, "how often is the signing key of the northern gate rotated"])
@pytest.mark.parametrize(
    "length", [5_000, pytest.param(700_000, marks=[pytest.mark.slow, pytest.mark.timeout(900)])]
)
def test_a_long_stream_needs_little_memory(query, length):
    def chunks():
        for line in lines(length):
            size[0] += len(line)
            digest.update(line.encode())
            yield line

    size = [0]
    digest = hashlib.sha256()
    counter("bundled").count(NEEDLE)  # what is loaded once is not the stream's
    tracemalloc.start()
    result = compress_stream(chunks(), 200, query=query, path="log/days.md")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size[0] > 70 * length
    assert peak < 24_000_000
    assert result.tokens_after <= 200
    assert result.tokens_before > 15 * length
    assert {unit.content_hash for unit in result.units} == {digest.hexdigest()}
    if query:
        (unit,) = (unit for unit in result.units if unit.text == NEEDLE)
        assert unit.path == "log/days.md"
        text = "".join(lines(length))
        assert text[unit.span.start : unit.span.end] == NEEDLE
        assert unit.lines.first == text.count("\n", 0, unit.span.start) + 1
    else:
        assert result.text.splitlines()[0].endswith(
            "Entry 0 says that the weather in town 0 was fair and the bakery open."
        )


def test_a_file_of_one_line_streams_as_well():
    chunks = ("word " * 1000 for _ in range(400))
    result = compress_stream(chunks, 150)
    assert result.text.endswith("[truncated]")
    assert result.tokens_before == 400_000
    assert result.tokens_after <= 150
