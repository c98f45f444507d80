"""From a document to its chunks."""

from __future__ import annotations

from os.path import basename
from typing import TYPE_CHECKING, NamedTuple

from tamis.chunking.blocks import MAX_TITLE_CHARS
from tamis.chunking.lines import LineIndex
from tamis.chunking.markdown import markdown_blocks
from tamis.chunking.outline import sections
from tamis.chunking.packing import pack
from tamis.chunking.plain import plain_blocks
from tamis.chunking.restructured import restructured_blocks
from tamis.chunking.source import source_blocks
from tamis.chunking.splitting import split
from tamis.errors import InputError
from tamis.types import Chunk, ChunkedDocument

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tamis.chunking.blocks import Block
    from tamis.types import Document, Kind

MIN_CHUNK_CHARS, MAX_CHUNK_CHARS = 100, 8000
MAX_CHUNK_OVERLAP = 4000


class _Technique(NamedTuple):
    """How one kind of document is read, and when its small sections are packed.

    ``small``: the share of a chunk, 1 / small, up to which a section is small; ``run``: so many in a row are packed.
    """

    blocks: Callable[[str, LineIndex], Iterator[Block]]
    small: int
    run: int


# A few short sections are worth more under their own headings than the chunks they would save: on 45 pages of
# documentation with 100 questions, packing all short neighbours saved 1 % of the chunks, and the hybrid recall in 3,200
# characters fell from .710 to between .695 and .699. Definitions in code are many, and read best with their neighbours.
_TECHNIQUES: dict[Kind, _Technique] = {
    "markdown": _Technique(markdown_blocks, small=4, run=8),
    "rst": _Technique(restructured_blocks, small=4, run=8),
    "text": _Technique(plain_blocks, small=4, run=8),
    "code": _Technique(source_blocks, small=1, run=2),
}


def chunk(document: Document, *, chunk_chars: int = 800, chunk_overlap: int = 100) -> ChunkedDocument:
    """Cut a document into passages along its structure.

    Every character that is no whitespace is in at least one chunk; chunks begin and end with words of the text, and
    keep to one section unless many small ones follow each other. The title is that of the front matter, else the first
    heading of level 1, else the file's name.

    Args:
        document: Decoded text and its kind.
        chunk_chars: Longest chunk, 100 to 8000 characters. Only a fenced, indented or literal block of code is kept
            whole beyond that (up to twice as long, at most 8000), and a single grapheme.
        chunk_overlap: Longest repetition, 0 to 4000 characters and less than ``chunk_chars``, between neighbours in one
            section; it starts with a sentence, line or word. More than half of ``chunk_chars`` counts as half.

    Raises:
        InputError: A number is out of its bounds.
    """
    check_sizes(chunk_chars, chunk_overlap)
    text = document.text
    technique = _TECHNIQUES[document.kind]
    title = _Title(basename(document.path) or document.path)
    if not text or text.isspace():
        return ChunkedDocument(title.text, ())
    index = LineIndex(text)
    blocks = title.watch(technique.blocks(text, index))
    passages = (
        passage
        for section in sections(blocks, chunk_chars // 2)
        for passage in split(text, section, chunk_chars, chunk_overlap)
    )
    chunks = tuple(
        Chunk(
            index=number,
            text=text[passage.start : passage.end],
            start=passage.start,
            end=passage.end,
            lines=index.lines_of(passage.start, passage.end),
            heading_path=passage.path,
            type=passage.type,
        )
        for number, passage in enumerate(
            pack(passages, chunk_chars, chunk_chars // technique.small, technique.run)
        )
    )
    return ChunkedDocument(title.text, chunks)


class _Title:
    """Takes a document's title from its blocks as they pass."""

    def __init__(self, name: str) -> None:
        self.text = name[:MAX_TITLE_CHARS]
        self._known = False

    def watch(self, blocks: Iterable[Block]) -> Iterator[Block]:
        for block in blocks:
            names_document = block.type == "frontmatter" or (block.type, block.level) == ("heading", 1)
            if names_document and block.title and not self._known:
                self.text = block.title
                self._known = True
            yield block


def check_sizes(chunk_chars: int, chunk_overlap: int) -> None:
    """Refuse sizes that ``chunk`` does not take.

    Raises:
        InputError: A number is out of its bounds; the hint names them.
    """
    if not MIN_CHUNK_CHARS <= chunk_chars <= MAX_CHUNK_CHARS:
        raise InputError(
            f"chunk_chars is {chunk_chars}",
            hint=f"chunk_chars has to be between {MIN_CHUNK_CHARS} and {MAX_CHUNK_CHARS}",
        )
    if not 0 <= chunk_overlap <= MAX_CHUNK_OVERLAP:
        raise InputError(
            f"chunk_overlap is {chunk_overlap}",
            hint=f"chunk_overlap has to be between 0 and {MAX_CHUNK_OVERLAP}",
        )
    if chunk_overlap >= chunk_chars:
        raise InputError(
            f"chunk_overlap ({chunk_overlap}) is not less than chunk_chars ({chunk_chars})",
            hint="give a smaller chunk_overlap, or a larger chunk_chars",
        )
