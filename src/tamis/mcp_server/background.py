"""What the tools answer that leave their work to a job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.mcp_server.schemas import STRING
from tamis.mcp_server.tool import Answer

if TYPE_CHECKING:
    from tamis.mcp_server.jobs import Job

JOB_STARTED = {"job_id": STRING, "corpus": STRING, "work": STRING, "state": STRING, "started_at": STRING}


def started(job: Job) -> Answer:
    """The job, as it begins."""
    text = f"The job {job.id} is at work on {job.corpus}. corpus_health with job_id {job.id} shows how far it is."
    return Answer(job.data(), text)
