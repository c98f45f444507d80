"""``corpus_refresh``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, Meta, UnsetType

from tamis.mcp_server.arguments import CorpusName, Paged, given
from tamis.mcp_server.background import JOB_STARTED, carried_out
from tamis.mcp_server.schemas import BOOLEAN, FAILED, INTEGER, NUMBER, STRING, STRINGS, record
from tamis.mcp_server.tool import Lane, Tool
from tamis.render.reports import refresh_text

if TYPE_CHECKING:
    from tamis.mcp_server.tool import Answer, Call
    from tamis.ports import Progress
    from tamis.types import RefreshReport


class Arguments(Paged, kw_only=True):
    name: Annotated[CorpusName, Meta(description="The corpus.")]
    retry_failed: (
        Annotated[bool, Meta(description="Try again what could not be read or embedded before.")] | UnsetType
    ) = UNSET
    verify: (
        Annotated[bool, Meta(description="Read every file, whatever its size and time say.")] | UnsetType
    ) = UNSET
    dense: Annotated[bool, Meta(description="Make vectors as well (default: as before).")] | UnsetType = UNSET
    background: (
        Annotated[
            bool, Meta(description="Return a job_id at once and work on; corpus_health shows how far it is.")
        ]
        | UnsetType
    ) = UNSET


def run(call: Call, arguments: Arguments) -> Answer:
    corpus = call.library.corpus(arguments.name)

    def work(progress: Progress) -> RefreshReport:
        return corpus.refresh(
            verify=given(arguments.verify) or False,
            retry_failed=given(arguments.retry_failed) or False,
            dense=given(arguments.dense),
            progress=progress,
        )

    background = given(arguments.background) or False
    return carried_out(call, arguments.name, "refresh", work, refresh_text, background=background)


TOOL = Tool(
    name="corpus_refresh",
    title="Refresh a corpus",
    description=(
        "Bring a corpus in line with the disk: reads what was added or changed, drops what is gone, undoes amends. Use it when "
        "files changed since the corpus was indexed, or when hits are stale. Returns what changed, file by file. Next: "
        "corpus_search."
    ),
    arguments=Arguments,
    result=record(
        name=STRING, added=STRINGS, changed=STRINGS, unchanged=STRINGS, deleted=STRINGS, missing=STRINGS,
        reused_chunks=INTEGER, reembedded_chunks=INTEGER, dropped_chunks=INTEGER, no_op=BOOLEAN, retried_failed=STRINGS,
        still_failed=FAILED, elapsed_ms=INTEGER, dense_coverage=NUMBER,
        embed_model_resolved_drift=record(prior=STRING, current=STRING), **JOB_STARTED,
    ),
    run=run,
    seed_name="ollama_corpus_refresh",
    seed_arguments=frozenset(("name", "retry_failed")),
    changes=True,
    destructive=True,
    lane=Lane.WORK,
)  # fmt: skip
