"""``corpus_amend``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, Meta, UnsetType

from tamis.mcp_server.arguments import ChunkChars, ChunkOverlap, CorpusName, Paged, given
from tamis.mcp_server.schemas import INTEGER, STRING, record
from tamis.mcp_server.tool import Answer, Lane, Tool
from tamis.render import Style
from tamis.render.reports import amend_text

if TYPE_CHECKING:
    from tamis.mcp_server.tool import Call


class Arguments(Paged, kw_only=True):
    corpus: Annotated[CorpusName, Meta(description="The corpus to change.")]
    file_path: Annotated[
        str, Meta(min_length=1, description="Absolute path that the text stands for; no file need be there.")
    ]
    new_content: Annotated[
        str,
        Meta(min_length=1, max_length=5_000_000, description="The text that replaces the file's, in full."),
    ]
    chunk_chars: ChunkChars | UnsetType = UNSET
    chunk_overlap: ChunkOverlap | UnsetType = UNSET


def run(call: Call, arguments: Arguments) -> Answer:
    report = call.library.corpus(arguments.corpus).amend(
        arguments.file_path,
        arguments.new_content,
        chunk_chars=given(arguments.chunk_chars),
        chunk_overlap=given(arguments.chunk_overlap),
    )
    return Answer(report, amend_text(report, Style()))


TOOL = Tool(
    name="corpus_amend",
    title="Amend a document in a corpus",
    description=(
        "Replace one file's passages with text that you give, in the corpus only: the disk is neither read nor written. Use it "
        "to make an edit searchable at once. The corpus then differs from the disk, and says so, until corpus_refresh. Returns "
        "the chunks removed and added."
    ),
    arguments=Arguments,
    result=record(
        "corpus", "file_path", "chunks_removed", "chunks_added", "embed_model_resolved",
        corpus=STRING, file_path=STRING, chunks_removed=INTEGER, chunks_added=INTEGER, embed_model_resolved=STRING,
    ),
    run=run,
    seed_name="ollama_corpus_amend",
    seed_arguments=frozenset(("corpus", "file_path", "new_content", "chunk_chars", "chunk_overlap")),
    changes=True,
    destructive=True,
    lane=Lane.WORK,
)  # fmt: skip
