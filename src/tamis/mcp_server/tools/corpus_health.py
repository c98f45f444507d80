"""``corpus_health``."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from tamis.errors import CorpusNotFoundError, TamisError
from tamis.mcp_server.arguments import CorpusName, Filled, Paged, given
from tamis.mcp_server.schemas import (
    AMENDED,
    BOOLEAN,
    FAILED,
    INTEGER,
    JOB,
    NUMBER,
    STRING,
    STRINGS,
    SUMMARY,
    record,
    several,
)
from tamis.mcp_server.tool import Answer, Lane, Tool
from tamis.render import Style, payload
from tamis.render.corpora import health_text

if TYPE_CHECKING:
    from tamis.mcp_server.jobs import Job
    from tamis.mcp_server.tool import Call

SHOWN = 5  # failed and amended paths of each corpus where all are shown
ONE_AT_A_TIME = "details are given for one corpus: name it"


class Arguments(Paged, kw_only=True):
    name: Annotated[CorpusName, Meta(description="The corpus; all of them when left out.")] | UnsetType = (
        UNSET
    )
    detailed: Annotated[bool, Meta(description="Add a line for each file; needs a name.")] | UnsetType = UNSET
    job_id: Annotated[Filled, Meta(description="Show this background job.")] | UnsetType = UNSET


def run(call: Call, arguments: Arguments) -> Answer:
    if (job_id := given(arguments.job_id)) is not None:
        job = call.jobs.find(job_id)
        return Answer({"name": job.corpus, "jobs": [job.data()]}, _job_text(job))
    detailed = given(arguments.detailed) or False
    if (name := given(arguments.name)) is not None:
        return _one(call, name, detailed)
    corpora: list[Any] = []
    texts: list[str] = []
    warnings = [ONE_AT_A_TIME] if detailed else []
    for name in call.library.names():
        try:
            data, text = _health(call, name, detailed=False)
        except TamisError as error:
            warnings.append(f"{name} cannot be used: {error.message}")
            continue
        corpora.append(
            {
                **data,
                "failed_paths": data["failed_paths"][:SHOWN],
                "amended_paths": data["amended_paths"][:SHOWN],
            }
        )
        texts.append(text)
    jobs = call.jobs.of()
    text = "\n\n".join([*(texts or ["There is no corpus yet."]), *map(_job_text, jobs)])
    return Answer({"corpora": corpora, "jobs": [job.data() for job in jobs]}, text, warnings=tuple(warnings))


def _one(call: Call, name: str, detailed: bool) -> Answer:
    jobs = call.jobs.of(name)
    shown = {"jobs": [job.data() for job in jobs]} if jobs else {}
    told = [_job_text(job) for job in jobs]
    try:
        data, text = _health(call, name, detailed)
    except CorpusNotFoundError:
        if not jobs:
            raise
        return Answer({"name": name, **shown}, "\n".join(told))
    return Answer({**data, **shown}, "\n\n".join([text, *told]))


def _health(call: Call, name: str, detailed: bool) -> tuple[dict[str, Any], str]:
    report = call.library.corpus(name).health(detailed=detailed)
    return payload(report), health_text(report, Style(), datetime.now(UTC))


def _job_text(job: Job) -> str:
    told = f"job {job.id}: {job.work} of {job.corpus}, {job.state}"
    if job.progress and job.state == "running":
        told += f", {job.progress['stage']} {job.progress['done']:,}"
        told += f" of {job.progress['total']:,}" if "total" in job.progress else ""
    return f"{told}: {job.error['message']}" if job.error else told


TOOL = Tool(
    name="corpus_health",
    title="Health of a corpus",
    description=(
        "Tell what a corpus holds, how fresh it is and what may be wrong with it, and how far background jobs are. Use it when a "
        "search looks wrong or a job runs. Next: corpus_refresh where the disk has moved on."
    ),
    arguments=Arguments,
    result=record(
        **SUMMARY["properties"], staleness_days=NUMBER, embed_model_resolved=STRING, generation=INTEGER,
        lexical_generation=INTEGER, dense_generation=INTEGER, drift=record(prior=STRING, current=STRING),
        amended_paths=several(AMENDED), failed_paths=FAILED, roots=STRINGS, warnings=STRINGS, jobs=several(JOB),
        files=several(
            record(
                path=STRING, size=INTEGER, mtime=STRING, chunks=INTEGER, embedded_chunks=INTEGER, stale=BOOLEAN,
                amended=BOOLEAN, lexical_only=BOOLEAN,
            )
        ),
        corpora=several(SUMMARY),
    ),
    run=run,
    seed_name="ollama_corpus_health",
    seed_arguments=frozenset(("name", "detailed")),
    lane=Lane.MODEL,
)  # fmt: skip
