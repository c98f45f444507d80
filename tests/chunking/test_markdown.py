from __future__ import annotations

from collections.abc import Callable

import pytest

from tamis.types import ChunkedDocument

Chunking = Callable[..., ChunkedDocument]


def outline(document: ChunkedDocument) -> list[tuple[str, tuple[str, ...]]]:
    """The last line of each chunk, with the headings that lead to it."""
    return [(chunk.text.splitlines()[-1].strip(), chunk.heading_path) for chunk in document.chunks]


def test_each_section_is_found_under_the_headings_that_lead_to_it(markdown: Chunking) -> None:
    document = markdown("before\n\n# A\n\na\n\n## B\n\nb\n\n### C\n\nc\n\n## D\n\nd\n\n# E\n\n### F\n\nf\n")
    assert outline(document) == [
        ("before", ()),
        ("a", ("A",)),
        ("b", ("A", "B")),
        ("c", ("A", "B", "C")),
        ("d", ("A", "D")),
        ("f", ("E", "F")),
    ]


def test_a_heading_is_in_the_chunk_of_the_text_beneath_it(markdown: Chunking) -> None:
    document = markdown("# A\n\n## B\n\n" + "All work and no play. " * 100)
    assert document.chunks[0].text.startswith("# A\n\n## B\n\nAll work")
    assert {chunk.type for chunk in document.chunks} == {"paragraph"}


def test_headings_with_nothing_beneath_them_are_a_chunk_of_headings(markdown: Chunking) -> None:
    (chunk,) = markdown("# A\n\n## B\n").chunks
    assert (chunk.type, chunk.heading_path) == ("heading", ("A",))
    (chunk,) = markdown("# A").chunks
    assert (chunk.type, chunk.heading_path) == ("heading", ("A",))


@pytest.mark.parametrize(
    ("source", "path"),
    [
        ("Title\n=====\n\nSub\n---\n\nx", ("Title", "Sub")),
        ("Two\nlines\n===\n\nx", ("Two lines",)),
        ("# A #\n\n## B ##   \n\nx", ("A", "B")),
        ("# A \\#\n\nx", ("A #",)),
        ("#\n\nx", ()),
        ("# A\n\n##\n\nx", ("A",)),
        ("###### six\n\n####### seven\n\nx", ("six",)),
        ("#no space\n\nx", ()),
        ("    # code\n\nx", ()),
        ("   # A\n\nx", ("A",)),
        ("# A\n\n> # quoted\n\nx", ("A",)),
        ("# A\n\n- # listed\n\nx", ("A",)),
        ("# A\r\n\r\nx", ("A",)),
        ("# A\r\rx", ("A",)),
        ("\ufeff# A\n\nx", ("A",)),
        ("# A\n\n<!--\n# hidden\n-->\n\nx", ("A",)),
        ("# A\u2028B\n\nx", ("A B",)),
    ],
)
def test_what_is_a_heading(markdown: Chunking, source: str, path: tuple[str, ...]) -> None:
    assert markdown(source).chunks[-1].heading_path == path


@pytest.mark.parametrize(
    ("heading", "words"),
    [
        ("The *very* **best** __of__ _it_", "The very best of it"),
        ("`snake_case_name` and `Vec<u8>`", "snake_case_name and Vec<u8>"),
        ("snake_case_name * 2 * 3", "snake_case_name * 2 * 3"),
        ("[text](https://example.org/a_(b)) and [ref][1]", "text and ref"),
        ("[![build](badge.svg)](ci) Name", "build Name"),
        ("A &amp; B &lt;C&gt;", "A & B <C>"),
        ("Escaped \\*stars\\*", "Escaped *stars*"),
        ("Name {#anchor .class}", "Name"),
        ('<a name="x"></a>Name', "Name"),
        ("``a ` b``", "a ` b"),
    ],
)
def test_a_title_has_the_words_of_its_heading(markdown: Chunking, heading: str, words: str) -> None:
    document = markdown(f"# {heading}\n\nx")
    assert document.title == words
    assert document.chunks[0].heading_path == (words,)


def test_a_title_stays_short_however_long_the_heading(markdown: Chunking) -> None:
    document = markdown("# " + "long " * 10_000 + "\n\nx")
    assert len(document.title) <= 200
    assert all(len(title) <= 200 for chunk in document.chunks for title in chunk.heading_path)
    assert document.chunks[0].type == "heading"
    assert document.chunks[-1].text.endswith("x")


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("---\ntitle: Front\n---\n# First\n", "Front"),
        ("## Sub\n\n# First\n\n# Second\n", "First"),
        ("#\n\n# Second\n", "Second"),
        ("## Sub only\n", "some file.txt"),
        ("text", "some file.txt"),
        ("", "some file.txt"),
        ("---\nauthor: me\n---\n# First\n", "First"),
        ("---\ntitle:\n---\n# First\n", "First"),
        ("```\n# code\n```\n\n# First\n", "First"),
    ],
)
def test_the_title_is_that_of_the_front_matter_else_the_first_h1_else_the_file_name(
    markdown: Chunking, source: str, title: str
) -> None:
    assert markdown(source).title == title


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ('title: "a: \\"b\\""', 'a: "b"'),
        ('title: "\\a bell"', "\\a bell"),
        ("title: 'it''s'", "it's"),
        ("title: plain # with a comment", "plain"),
        ("title: C# for all", "C# for all"),
        ("Title: x", "x"),
        ("title: >-\n  folded\n  lines", "folded lines"),
        ("title: plain\n  goes on", "plain goes on"),
        ("subtitle: no\ntitle: yes", "yes"),
        ("bad: : :\n  - [\ntitle: still", "still"),
        ("meta:\n  title: nested\ntitle: outer", "outer"),
    ],
)
def test_yaml_titles_are_read_from_sound_and_broken_front_matter(
    markdown: Chunking, line: str, title: str
) -> None:
    document = markdown(f"---\n{line}\n---\nbody")
    assert document.title == title
    assert [chunk.type for chunk in document.chunks] == ["frontmatter", "paragraph"]


@pytest.mark.parametrize(
    ("source", "title", "types"),
    [
        ('+++\ntitle="x"\n+++\nbody', "x", ["frontmatter", "paragraph"]),
        ("+++\ntitle = 'x'\n[extra]\ntitle = 'no'\n+++\nbody", "x", ["frontmatter", "paragraph"]),
        ("---\r\ntitle: x\r\n---\r\nbody", "x", ["frontmatter", "paragraph"]),
        ("---\rtitle: x\r---\rbody", "x", ["frontmatter", "paragraph"]),
        ("\ufeff---\ntitle: x\n---\nbody", "x", ["frontmatter", "paragraph"]),
        ("---\ntitle: x\n...\nbody", "x", ["frontmatter", "paragraph"]),
        ("---\na: 1\n---", "some file.txt", ["frontmatter"]),
        ("---\n---\nbody", "some file.txt", ["frontmatter", "paragraph"]),
        ("---\ntitle: x\n\n# H\n\nbody", "H", ["paragraph", "paragraph"]),
        ("---\n\nOnly a rule.\n\n---\n\nbody", "some file.txt", ["paragraph"]),
        ("\n---\ntitle: x\n---\nbody", "some file.txt", ["paragraph"]),
    ],
)
def test_what_is_front_matter(markdown: Chunking, source: str, title: str, types: list[str]) -> None:
    document = markdown(source)
    assert document.title == title
    assert [chunk.type for chunk in document.chunks if chunk.type != "heading"][: len(types)] == types


@pytest.mark.parametrize(
    "block",
    [
        "````md\n```python\n# not a heading\n```\n````",
        "~~~\n```\n# not a heading\n~~~",
        "    indented\n\n    # not a heading",
        "> ```\n> # quoted\n> ```",
        "- item\n  ```sh\n  # listed\n  ```",
        "```unclosed\n# to the end\n\n# of the file",
    ],
)
def test_code_holds_no_headings(markdown: Chunking, block: str) -> None:
    (chunk,) = markdown(f"# A\n\n{block}").chunks
    assert chunk.heading_path == ("A",)
    assert chunk.text.endswith(block)


@pytest.mark.parametrize(("lines", "parts"), [(10, 1), (35, 1), (45, 3)])
def test_a_fence_is_kept_whole_up_to_twice_the_size_of_a_chunk(
    markdown: Chunking, lines: int, parts: int
) -> None:
    fence = "```\n" + "let x = 1; // twenty\n" * lines + "```"  # 20 characters a line and one for its end
    document = markdown(f"# A\n\nBefore.\n\n{fence}\n\nAfter.\n", chunk_chars=400, chunk_overlap=0)
    code = [chunk for chunk in document.chunks if "let x" in chunk.text]
    assert len(code) == parts
    assert all(chunk.type == "code" for chunk in code)
    if parts == 1:
        assert fence in code[0].text
    else:
        lines_kept = {line for chunk in code for line in chunk.text.splitlines()}
        assert lines_kept <= {"# A", "", "Before.", "```", "let x = 1; // twenty", "After."}


def test_no_fence_is_kept_whole_above_8000_characters(markdown: Chunking) -> None:
    fence = "```\n" + "x = 1\n" * 1500 + "```"
    assert len(markdown(fence, chunk_chars=8000).chunks) == 2


def test_a_whole_fence_takes_its_heading_along(markdown: Chunking) -> None:
    fence = "```\n" + "x = 1\n" * 150 + "```"
    (chunk,) = markdown(f"# A\n\n{fence}").chunks
    assert len(chunk.text) > 800
    assert chunk.type == "code"


def test_a_heading_stands_alone_before_code_that_it_would_make_too_long(markdown: Chunking) -> None:
    fence = "```\n" + "x = 1\n" * 31 + "```"
    document = markdown(f"# {'A heading of some length' * 2}\n\n{fence}", chunk_chars=100, chunk_overlap=0)
    assert [(chunk.type, len(chunk.text)) for chunk in document.chunks] == [("heading", 50), ("code", 193)]


def test_neighbours_in_a_section_share_a_chunk_while_they_fit(markdown: Chunking) -> None:
    (chunk,) = markdown("# A\n\nOne.\n\nTwo.\n\n- x\n- y\n\n```\nz\n```\n").chunks
    assert chunk.heading_path == ("A",)


def test_the_type_is_that_of_the_most_text(markdown: Chunking) -> None:
    assert markdown("# A\n\nIntro.\n\n- one thing\n- another thing").chunks[0].type == "list"
    assert markdown("# A\n\nAn introduction.\n\n- x").chunks[0].type == "paragraph"
    assert markdown("Intro:\n\n```\nfor x in range(10): print(x)\n```").chunks[0].type == "code"
    assert markdown("|a|b|\n|-|-|\n|1|2|").chunks[0].type == "paragraph"


def test_hundreds_of_tiny_sections_are_packed_under_their_parent(markdown: Chunking) -> None:
    terms = "".join(f"### term {number}\n\nMeans {number}.\n\n" for number in range(300))
    document = markdown(f"# Book\n\n## Glossary\n\n{terms}## Index\n\n{'Long enough to stay alone. ' * 20}")
    packed = [chunk for chunk in document.chunks if "Means" in chunk.text]
    assert all(chunk.heading_path == ("Book", "Glossary") for chunk in packed)
    assert all(len(chunk.text) > 700 for chunk in packed[:-1])
    assert document.chunks[-1].heading_path == ("Book", "Index")


def test_a_few_small_sections_stay_apart(markdown: Chunking) -> None:
    document = markdown("# A\n\n## B\n\nb\n\n## C\n\nc\n\n## D\n\nd\n")
    assert [chunk.heading_path[-1] for chunk in document.chunks] == ["B", "C", "D"]


def test_packing_rather_stops_before_a_section_of_a_higher_level(markdown: Chunking) -> None:
    letter = "".join(f"### word {number}\n\n{'m' * 40}\n\n" for number in range(10))
    document = markdown("".join(f"## {letter_} \n\n{letter}" for letter_ in "ABC"))
    assert [chunk.heading_path for chunk in document.chunks] == [("A",), ("B",), ("C",)]


def test_a_long_list_is_cut_between_its_outermost_items(markdown: Chunking) -> None:
    source = "".join(f"- item {number}\n  goes on\n  - nested\n" for number in range(100))
    document = markdown(source, chunk_overlap=0)
    assert len(document.chunks) > 2
    assert all(chunk.text.startswith("- item") and chunk.type == "list" for chunk in document.chunks)


def test_a_long_table_is_cut_between_its_rows(markdown: Chunking) -> None:
    source = "| a | b |\n|---|---|\n" + "".join(f"| cell {n}. With words. | x |\n" for n in range(100))
    document = markdown(source, chunk_overlap=0)
    assert len(document.chunks) > 2
    assert all(chunk.text.startswith("| ") and chunk.text.endswith(" |") for chunk in document.chunks)


def test_sections_of_a_document_of_many_windows_are_found(markdown: Chunking) -> None:
    body = "A sentence of a few words. " * 20
    source = "".join(f"# Part {n}\n\n{body}\n\n```\n# code {n}\n```\n\n- a\n- b\n\n" for n in range(1500))
    assert len(source) > 3 << 18  # the parser is given a quarter of a mebibyte at a time
    document = markdown(source)
    assert [c.heading_path for c in document.chunks if "# Part" in c.text] == [
        (f"Part {n}",) for n in range(1500)
    ]
    assert {chunk.heading_path for chunk in document.chunks} == {(f"Part {n}",) for n in range(1500)}


@pytest.mark.slow
def test_one_list_larger_than_any_window_is_one_list(markdown: Chunking) -> None:
    source = "# A\n\n" + "".join(
        f"- item {n} has a few words in it\n\n  ```\n  # {n}\n  ```\n" for n in range(30_000)
    )
    assert len(source) > 1 << 20
    document = markdown(source)
    assert {chunk.heading_path for chunk in document.chunks} == {("A",)}


def test_nesting_deeper_than_the_parser_goes_is_kept(markdown: Chunking) -> None:
    source = "# A\n\n" + "> " * 500 + "deep\n\n" + "".join("  " * n + f"- level {n}\n" for n in range(60))
    document = markdown(source)
    text = "".join(chunk.text for chunk in document.chunks)
    assert "deep" in text
    assert "level 59" in text
