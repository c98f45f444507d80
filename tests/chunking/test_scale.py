"""Hostile input costs no more than its length: twice the text, twice the calls, and a bounded share of memory."""

from __future__ import annotations

import sys
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from tamis.chunking import LineIndex, chunk
from tamis.types import Document, Kind

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

HOSTILE: dict[str, tuple[Kind, Callable[[int], str]]] = {
    "one token": ("text", lambda n: "x" * n),
    "one token of flags": ("text", lambda n: "🇫" * (n // 8)),
    "combining marks": ("text", lambda n: "\u0301" * n),
    "Thai without spaces": ("text", lambda n: "สวัสดีครับ" * (n // 10)),
    "full stops": ("text", lambda n: ". " * (n // 2)),
    "spaces": ("text", lambda n: "a" + " " * n + "b"),
    "lines of a letter": ("text", lambda n: "a\n" * (n // 2)),
    "blank lines between two": ("text", lambda n: "a" + "\n" * n + "b"),
    "blank lines": ("markdown", lambda n: "a" + "\n" * n + "b"),
    "headings": ("markdown", lambda n: "# a\n" * (n // 4)),
    "tiny sections": ("markdown", lambda n: "## a\n\nb\n\n" * (n // 9)),
    "one long heading": ("markdown", lambda n: "# " + "x" * n + "\n\ntext"),
    "setext headings": ("markdown", lambda n: "a\n===\n" * (n // 6)),
    "tiny paragraphs": ("markdown", lambda n: "a\n\n" * (n // 3)),
    "one list": ("markdown", lambda n: "- a\n" * (n // 4)),
    "markers in a line": ("markdown", lambda n: "- " * (n // 2)),
    "quotes in a line": ("markdown", lambda n: "> " * (n // 2)),
    "lazy quotes": ("markdown", lambda n: "> a\nb\n" * (n // 6)),
    "open brackets": ("markdown", lambda n: "[" * n),
    "open tags": ("markdown", lambda n: "<div>\n\n" * (n // 7)),
    "a table": ("markdown", lambda n: "|a|b|\n|-|-|\n" + "|a|b|\n" * (n // 6)),
    "fences": ("markdown", lambda n: "```\na\n```\n" * (n // 10)),
    "an open fence": ("markdown", lambda n: "```\n" + "a\n\n" * (n // 3)),
    "code and text in turn": ("markdown", lambda n: "a\n\n    b\n\n" * (n // 10)),
    "open front matter": ("markdown", lambda n: "---\n" + "a: b\n" * (n // 5)),
    "items of a letter": ("rst", lambda n: "- a\n" * (n // 4)),
    "titles": ("rst", lambda n: "ab\n==\n\n" * (n // 7)),
    "literal blocks": ("rst", lambda n: "a::\n\n  b\n\n" * (n // 10)),
    "announced literal blocks": ("rst", lambda n: "a::\n\n\n\n" * (n // 7)),
    "functions": ("code", lambda n: "def f(x):\n    return 1\n\n" * (n // 24)),
    "nested functions": (
        "code",
        lambda n: "".join(" " * i + "def f():\n" for i in range(int((2 * n) ** 0.5))),
    ),
    "comments": ("code", lambda n: "# c\n" * (n // 4)),
    "closing brackets": ("code", lambda n: "foo(" + ")" * n),
}
SIZE = 20_000


def calls(document: Document) -> int:
    """Calls of functions, Python's and C's, that chunking a document takes."""
    count = 0

    def note(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        chunk(document)
    finally:
        sys.setprofile(before)
    return count


# Above what a window of a document takes. The largest file of 50 MB is to be indexed in less than 1 GB.
MEMORY_SIZE = 50_000
MEMORY_A_CHARACTER = 20


def peak(document: Document) -> int:
    """Bytes that chunking a document takes at most, its chunks included."""
    tracemalloc.start()
    try:
        chunk(document)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", ["lines of a letter", "blank lines between two", "items of a letter"])
def test_memory_grows_with_the_text_and_not_with_its_lines(name: str) -> None:
    kind, text = HOSTILE[name]
    once, twice = (peak(Document("a", text(size), kind, "")) for size in (MEMORY_SIZE, 2 * MEMORY_SIZE))
    assert twice - once <= MEMORY_A_CHARACTER * MEMORY_SIZE


def test_a_line_costs_the_index_of_lines_a_few_bytes() -> None:
    assert sys.getsizeof(LineIndex("\n" * 100_000).starts) <= 5 * 100_000


@pytest.mark.parametrize("kind", ["text", "markdown", "rst", "code"])
def test_a_blank_document_has_no_chunks_and_is_not_looked_at(kind: Kind) -> None:
    document = Document("a.txt", "\n \r\n" * 100_000, kind, "")
    assert chunk(document).chunks == ()
    assert calls(document) < 100


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_twice_the_text_takes_twice_the_calls(name: str) -> None:
    kind, text = HOSTILE[name]
    once, twice = (calls(Document("a", text(size), kind, "")) for size in (SIZE, 2 * SIZE))
    assert twice <= 2.3 * once + 1000


@pytest.mark.slow
def test_long_paths_do_not_come_of_deep_nesting() -> None:
    text = "".join(" " * depth + f"def f{depth}():\n" for depth in range(500))
    chunks = chunk(Document("a", text, "code", "")).chunks
    assert max(len(item.heading_path) for item in chunks) <= 8
