"""From a row of blocks to sections: each with the path of headings that lead to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tamis.chunking.blocks import Block

    Path = tuple[str, ...]


# A section of more blocks is cut: where they are a line each they take many times the room of their text.
MAX_BLOCKS = 1 << 13


class Section(NamedTuple):
    """Blocks under one heading, the heading first; neighbours of one kind are joined.

    A heading that has nothing of its own beneath it opens the section of the heading that follows. ``level`` is that
    of the first heading, 0 for what comes before any.
    """

    path: Path
    level: int
    blocks: list[Block]


def sections(blocks: Iterable[Block], max_headings: int) -> Iterator[Section]:
    """The sections of ``blocks``; a run of bare headings is cut at ``max_headings`` characters."""
    stack: list[tuple[int, str]] = []
    run: list[Path] = [()]  # paths of the headings that open the section
    held: list[Block] = []
    for block in blocks:
        if block.level:
            if held and (not _bare(held) or block.end - held[0].start > max_headings):
                yield _section(held, run)
                held = []
            if not held:
                run = []
            while stack and stack[-1][0] >= block.level:
                stack.pop()
            if block.title:
                stack.append((block.level, block.title))
            run.append(tuple(title for _, title in stack))
        elif len(held) >= MAX_BLOCKS:
            yield _section(held, run)
            held, run = [], run[-1:]
        if block.type == "frontmatter":
            yield Section((), 0, [block])
        else:
            _add(held, block)
    if held:
        yield _section(held, run)


def common_path(paths: Iterable[Path]) -> Path:
    """The longest path that all ``paths`` begin with."""
    paths = list(paths)
    shortest, longest = min(paths), max(paths)
    for depth, title in enumerate(shortest):
        if longest[depth : depth + 1] != (title,):
            return shortest[:depth]
    return shortest


def _section(blocks: list[Block], run: Sequence[Path]) -> Section:
    path = common_path(run) if _bare(blocks) else run[-1]
    return Section(path, blocks[0].level, blocks)


def _bare(blocks: Sequence[Block]) -> bool:
    return blocks[-1].type == "heading"  # a heading is added to headings only


def _add(blocks: list[Block], block: Block) -> None:
    last = blocks[-1] if blocks else None
    if (
        last
        and (last.type, last.form) == (block.type, block.form)
        and block.form != "whole"
        and block.type != "heading"
    ):
        blocks[-1] = last._replace(end=block.end)
    else:
        blocks.append(block)
