from __future__ import annotations

from collections.abc import Callable

import pytest

from tamis.types import ChunkedDocument

Chunking = Callable[..., ChunkedDocument]


def paths(document: ChunkedDocument, mark: str) -> list[tuple[str, ...]]:
    return [chunk.heading_path for chunk in document.chunks if mark in chunk.text]


def filler(indentation: int) -> str:
    """A body too long for two of them to share a chunk."""
    return (" " * indentation + "value = compute(value)  # again\n") * 8


def test_definitions_are_found_under_the_names_that_enclose_them(code: Chunking) -> None:
    document = code(
        f"import x\n\nclass Foo(Base):\n    limit = 1\n\n    @cached\n    def bar(self):\n{filler(8)}\n"
        f"    async def baz(self):\n{filler(8)}\ndef last():\n{filler(4)}\nif outside:\n{filler(4)}",
        chunk_chars=380,
    )
    assert paths(document, "    @cached\n    def bar") == [("Foo", "bar")]
    assert paths(document, "def baz") == [("Foo", "baz")]
    assert paths(document, "def last") == [("last",)]
    assert paths(document, "if outside") == [()]
    assert {chunk.type for chunk in document.chunks} == {"code"}


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("def name(self):", "name"),
        ("async def name(", "name"),
        ("class Name:", "Name"),
        ("class Name(Base, metaclass=M):", "Name"),
        ("pub(crate) async unsafe fn name<T>(x: T) -> u8 {", "name"),
        ("impl<T: Display> Trait for Name<T> {", "Trait for Name<T>"),
        ("pub struct Name<T> {", "Name"),
        ("macro_rules! name {", "name"),
        ("func (p *Point) Name(a int) float64 {", "Name"),
        ("type Name struct {", "Name"),
        ("export default class Name<T> extends Base {", "Name"),
        ("export const name = async (a: number): Promise<number> => {", "name"),
        ("function name(a) {", "name"),
        ("public static List<String> name(int a, String b) throws E {", "name"),
        ("static int name(struct node *n, int a)", "name"),
        ("int Name::method(int a) const {", "Name::method"),
        ("namespace a::b {", "a::b"),
        ("enum class Name : int {", "Name"),
        ("defmodule Name.Sub do", "Name.Sub"),
        ("def name?(x)", "name?"),
        ("(defn name [x]", "name"),
        ("name() {", "name"),
        ("data class Name(val a: Int)", "Name"),
    ],
)
def test_lines_that_define_a_name(code: Chunking, line: str, name: str) -> None:
    assert code(f"{line}\n{filler(4)}").chunks[0].heading_path == (name,)


@pytest.mark.parametrize(
    "line",
    [
        "if (a) {",
        "} else if (a) {",
        "for (int i = 0; i < n; i++) {",
        "while (true) {",
        "switch (x) {",
        'MODULE_LICENSE("GPL");',
        "foo(a, b);",
        "return name(a) {",
        "class of its own",
        "describe('x', () => {",
        "a = function_call(b)",
    ],
)
def test_lines_that_define_nothing(code: Chunking, line: str) -> None:
    assert code(f"{line}\n{filler(4)}").chunks[0].heading_path == ()


def test_a_class_that_fits_is_one_chunk(code: Chunking) -> None:
    (chunk,) = code(
        "class Foo:\n    def a(self):\n        return 1\n\n    def b(self):\n        return 2\n"
    ).chunks
    assert chunk.heading_path == ("Foo",)


def test_small_functions_share_a_chunk(code: Chunking) -> None:
    document = code("".join(f"def f{number}():\n    return {number}\n\n\n" for number in range(100)))
    assert all(len(chunk.text) > 600 for chunk in document.chunks[:-1])
    assert all(chunk.text.startswith("def f") for chunk in document.chunks)


def test_a_long_function_is_cut_at_its_outer_lines(code: Chunking) -> None:
    step = "    for item in items:\n        if item:\n            handle(item)\n            log(item)\n"
    document = code(f"def f(items):\n{step * 40}", chunk_overlap=0)
    assert len(document.chunks) > 3
    assert all(chunk.text.startswith("    for item") for chunk in document.chunks[1:])


def test_indentation_of_the_first_line_is_kept(code: Chunking) -> None:
    document = code("class Foo:\n" + "".join(f"    def m{n}(self):\n{filler(8)}\n" for n in range(4)))
    assert all(chunk.text.startswith(("class", "    def")) for chunk in document.chunks)


def test_the_title_of_code_is_its_file_name(code: Chunking) -> None:
    assert code("# a comment\nx = 1\n", path="/home/me/src/main.py").title == "main.py"


def test_a_line_without_end_is_cut_all_the_same(code: Chunking) -> None:
    document = code("var a=1;" * 10_000, chunk_overlap=0)
    assert all(700 < len(chunk.text) <= 800 for chunk in document.chunks[:-2])
    assert "".join(chunk.text for chunk in document.chunks).replace(" ", "") == "vara=1;" * 10_000
