"""``corpus_index``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, Meta, UnsetType

from tamis.errors import TamisError
from tamis.mcp_server.arguments import ChunkChars, ChunkOverlap, CorpusName, Filled, Paged, given
from tamis.mcp_server.background import JOB_STARTED, carried_out
from tamis.mcp_server.schemas import FAILED, INTEGER, NUMBER, STRING, STRINGS, record
from tamis.mcp_server.tool import Lane, Tool
from tamis.render.reports import index_text

if TYPE_CHECKING:
    from tamis.mcp_server.tool import Answer, Call
    from tamis.ports import Progress
    from tamis.types import IndexReport


class Arguments(Paged, kw_only=True):
    name: Annotated[CorpusName, Meta(description="Name of the corpus to make or to make anew.")]
    paths: Annotated[
        list[Filled],
        Meta(min_length=1, description="Files and folders; the corpus then holds these and nothing else."),
    ]
    chunk_chars: ChunkChars | UnsetType = UNSET
    chunk_overlap: ChunkOverlap | UnsetType = UNSET
    include: Annotated[list[Filled], Meta(description="Globs: only files that match one.")] | UnsetType = (
        UNSET
    )
    exclude: Annotated[list[Filled], Meta(description="Globs: no files that match one.")] | UnsetType = UNSET
    embedder: (
        Annotated[Filled, Meta(description="What makes the vectors; the configured one when left out.")]
        | UnsetType
    ) = UNSET
    dense: (
        Annotated[
            bool,
            Meta(
                description="Make vectors as well (default: as before, at first true); without them the search goes by words."
            ),
        ]
        | UnsetType
    ) = UNSET
    background: (
        Annotated[
            bool, Meta(description="Return a job_id at once and work on; corpus_health shows how far it is.")
        ]
        | UnsetType
    ) = UNSET


def run(call: Call, arguments: Arguments) -> Answer:
    def work(progress: Progress) -> IndexReport:
        report = call.library.index(
            arguments.name,
            arguments.paths,
            embedder=given(arguments.embedder),
            chunk_chars=given(arguments.chunk_chars),
            chunk_overlap=given(arguments.chunk_overlap),
            include=given(arguments.include),
            exclude=given(arguments.exclude),
            dense=given(arguments.dense),
            restrict=True,
            progress=progress,
        ).report
        if report is None:
            raise TamisError("the index run left no report")
        return report

    background = given(arguments.background) or False
    return carried_out(call, arguments.name, "index", work, index_text, background=background)


TOOL = Tool(
    name="corpus_index",
    title="Index files and folders",
    description=(
        "Make a corpus of files and folders, or bring one in line with a new list of them. Use it once for documents that are to "
        "be recalled; later corpus_refresh is enough. Only paths under the allowed folders. Text is searchable as soon as it is "
        "read. For many files set background. Returns counts and failed paths. Next: corpus_search."
    ),
    arguments=Arguments,
    result=record(
        name=STRING, model_version=STRING, documents=INTEGER, chunks=INTEGER, total_chars=INTEGER, reused_chunks=INTEGER,
        newly_embedded_chunks=INTEGER, dropped_files=STRINGS, failed_paths=FAILED, embed_model_resolved=STRING,
        elapsed_ms=INTEGER, dense_coverage=NUMBER, **JOB_STARTED,
    ),
    run=run,
    seed_name="ollama_corpus_index",
    seed_arguments=frozenset(("name", "paths", "chunk_chars", "chunk_overlap")),
    changes=True,
    destructive=True,
    lane=Lane.WORK,
)  # fmt: skip
