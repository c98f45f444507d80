"""Work that a caller waits for, or leaves to a job."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from tamis.mcp_server.schemas import STRING
from tamis.mcp_server.tool import Answer
from tamis.render import Style

if TYPE_CHECKING:
    from collections.abc import Callable

    from tamis.mcp_server.tool import Call
    from tamis.ports import Progress

Report = TypeVar("Report")

JOB_STARTED = {"job_id": STRING, "corpus": STRING, "work": STRING, "state": STRING, "started_at": STRING}


def carried_out(
    call: Call,
    corpus: str,
    name: str,
    work: Callable[[Progress], Report],
    text: Callable[[Report, Style], str],
    *,
    background: bool,
) -> Answer:
    """The report of the work; in the background the job, as it begins.

    Raises:
        CorpusBusyError: In the background, a job is at work on this corpus.
    """
    if not background:
        report = work(call.progress)
        return Answer(report, text(report, Style()))
    job = call.jobs.start(corpus, name, work)
    told = f"The job {job.id} is at work on {corpus}. corpus_health with job_id {job.id} shows how far it is."
    return Answer(job.data(), told)
