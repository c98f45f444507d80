from __future__ import annotations

from collections.abc import Callable

import pytest

from tamis.types import ChunkedDocument

Chunking = Callable[..., ChunkedDocument]


def test_levels_are_those_of_the_adornments_in_order_of_first_use(rst: Chunking) -> None:
    document = rst(
        "=====\nTitle\n=====\n\nzero\n\nOne\n====\n\none\n\nTwo\n----\n\ntwo\n\nThree\n~~~~~\n\nthree\n\nFour\n====\n\nfour\n"
    )
    assert document.title == "Title"
    assert [(chunk.text.split()[-1], chunk.heading_path) for chunk in document.chunks] == [
        ("zero", ("Title",)),
        ("one", ("Title", "One")),
        ("two", ("Title", "One", "Two")),
        ("three", ("Title", "One", "Two", "Three")),
        ("four", ("Title", "Four")),
    ]


@pytest.mark.parametrize(
    ("source", "path"),
    [
        ("Title\n-----\n\nx", ("Title",)),
        ("Long title\n----\n\nx", ("Long title",)),
        ("Title\n--\n\nx", ()),
        ("ab\n--\n\nx", ("ab",)),
        ("====\n  In\n====\n\nx", ("In",)),
        ("日本語\n======\n\nx", ("日本語",)),
        ("Title\r\n=====\r\n\r\nx", ("Title",)),
        ("Title\r=====\r\rx", ("Title",)),
        ("text\n\n------\n\nx", ()),
        ("====  ====\na     b\n====  ====\n1     2\n====  ====\n\nx", ()),
        ("Example::\n\n  Title\n  =====\n\nx", ()),
        (".. code:: rst\n\n   Title\n   =====\n\nx", ()),
        (".. _label:\n\nTitle\n=====\n\nx", ("Title",)),
        (".. _label:\nTitle\n=====\n\nx", ("Title",)),
        (":mod:`email` and ``code``\n=========================\n\nx", ("email and code",)),
        ("`Text <https://example.org>`_\n=============================\n\nx", ("Text",)),
        ("Several lines\nof a paragraph\n==============\n\nx", ()),
    ],
)
def test_what_is_a_title(rst: Chunking, source: str, path: tuple[str, ...]) -> None:
    assert rst(source).chunks[-1].heading_path == path


@pytest.mark.parametrize(
    "source",
    [
        ".. code-block:: python\n   :linenos:\n\n   def f():\n\n       return 1\n",
        ".. CODE:: c\n\n   int x;\n",
        "A::\n\n   literal text that is longer\n\n   than what announces it\n",
        "::\n\n   literal\n",
        "- item::\n\n     literal text that is longer than the item\n",
        ">>> 1 + 1\n2\n",
        ".. note:: look::\n\n      literal text that is longer than the note\n",
    ],
)
def test_what_is_code(rst: Chunking, source: str) -> None:
    (chunk,) = rst(source + "\nEnd.").chunks
    assert chunk.type == "code"


@pytest.mark.parametrize(
    "source", ["- a\n- b\n", "1. a\n#. b\n", "(a) one\n", ":field: value\n:other: value\n"]
)
def test_what_is_a_list(rst: Chunking, source: str) -> None:
    assert rst(source).chunks[0].type == "list"


def test_text_in_a_directive_is_text(rst: Chunking) -> None:
    (chunk,) = rst(".. note::\n\n   Mind the gap.\n").chunks
    assert chunk.type == "paragraph"


def test_a_literal_block_is_kept_whole(rst: Chunking) -> None:
    block = "\n\n".join(f"   line {number} of it" for number in range(50))
    document = rst(f"Title\n=====\n\nSee::\n\n{block}\n\nEnd.\n")
    assert [block in chunk.text for chunk in document.chunks].count(True) == 1
    assert any(len(chunk.text) > 800 and chunk.type == "code" for chunk in document.chunks)


def test_an_item_goes_on_behind_its_literal_block(rst: Chunking) -> None:
    source = "- item::\n\n    " + "code " * 30 + "\n\n  " + "The item goes on. " * 30
    document = rst(source, chunk_chars=300, chunk_overlap=0)
    assert document.chunks[0].type == "code"
    assert {chunk.type for chunk in document.chunks[1:]} == {"paragraph"}


def test_without_a_title_the_file_name_is_the_title(rst: Chunking) -> None:
    assert rst("text").title == "some file.txt"
