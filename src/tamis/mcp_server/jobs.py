"""Long work in the background, so that no client's time limit ends it."""

from __future__ import annotations

import logging
import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal, cast

from tamis.errors import CorpusBusyError, InputError, TamisError
from tamis.render import error_data, payload

if TYPE_CHECKING:
    from collections.abc import Callable

    from tamis.ports import Progress

logger = logging.getLogger(__name__)

State = Literal["running", "done", "failed", "cancelled"]
SHOWN = 20  # entries of each list in a job's report
KEPT = 100  # jobs that are remembered; the oldest finished one goes


class CancelledError(TamisError):
    """The caller, or the end of the server, stopped the work."""

    code = "CANCELLED"
    retryable = True


@dataclass(slots=True)
class Job:
    """One run. ``progress``: the stage it is in, how far it is, and of how much, where that is known."""

    id: str
    corpus: str
    work: str
    state: State = "running"
    started_at: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    progress: dict[str, Any] = field(default_factory=dict[str, Any])
    result: Any = None
    error: dict[str, Any] | None = None

    def data(self) -> dict[str, Any]:
        """The job as JSON has it: what does not apply is left out."""
        shown = {
            "job_id": self.id,
            "corpus": self.corpus,
            "work": self.work,
            "state": self.state,
            "started_at": self.started_at,
        }
        extra = {"progress": self.progress, "result": _short(self.result), "error": self.error}
        return shown | {name: value for name, value in extra.items() if value}


def _short(report: Any) -> Any:
    """A report without the bulk of its lists of paths; ``cut`` has the length of each list that was cut."""
    if not isinstance(report, dict):
        return report
    fields = cast("dict[str, Any]", report)
    lists = {name: cast("list[Any]", value) for name, value in fields.items() if isinstance(value, list)}
    long = {name: len(value) for name, value in lists.items() if len(value) > SHOWN}
    shown = {**fields, **{name: lists[name][:SHOWN] for name in long}}
    return {**shown, "cut": long} if long else shown


class Jobs:
    """The jobs of one server; safe to use from threads."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._threads: list[threading.Thread] = []

    def start(self, corpus: str, work: str, run: Callable[[Progress], object]) -> Job:
        """Begin the work in a thread of its own.

        Raises:
            CorpusBusyError: A job is at work on this corpus.
        """
        with self._lock:
            for other in self._jobs.values():
                if other.state == "running" and other.corpus == corpus:
                    raise CorpusBusyError(
                        f"the job {other.id} is at work on {corpus}", hint="corpus_health shows how far it is"
                    )
            job = Job(secrets.token_hex(6), corpus, work)
            self._jobs[job.id] = job
            self._forget()
            thread = threading.Thread(target=self._run, args=(job, run), name=f"job-{job.id}", daemon=True)
            self._threads = [*(one for one in self._threads if one.is_alive()), thread]
            thread.start()
        return job

    def find(self, job_id: str) -> Job:
        """The job of this id.

        Raises:
            InputError: There is none.
        """
        with self._lock:
            if job_id in self._jobs:
                return self._jobs[job_id]
        raise InputError(
            f"there is no job {job_id}", hint="jobs last as long as the server", code="JOB_NOT_FOUND"
        )

    def of(self, corpus: str | None = None) -> list[Job]:
        """The jobs on a corpus, or all, newest first."""
        with self._lock:
            return [job for job in reversed(self._jobs.values()) if corpus in (None, job.corpus)]

    def stop(self, timeout: float) -> None:
        """Tell every job to stop, and wait for them, but no longer than ``timeout`` seconds in all."""
        self._stopping.set()
        for thread in self._threads:
            thread.join(timeout / len(self._threads))

    def _forget(self) -> None:
        finished = [job.id for job in self._jobs.values() if job.state != "running"]
        for job_id in finished[: max(0, len(self._jobs) - KEPT)]:
            del self._jobs[job_id]

    def _run(self, job: Job, run: Callable[[Progress], object]) -> None:
        def progress(stage: str, done: int, total: int | None) -> None:
            if self._stopping.is_set():
                raise CancelledError("the server is ending")
            job.progress = {"stage": stage, "done": done} | ({} if total is None else {"total": total})

        try:
            job.result = payload(run(progress))
            job.state = "done"
        except CancelledError:
            job.state = "cancelled"
        except TamisError as error:
            job.error, job.state = error_data(error), "failed"
        except Exception as error:  # the thread's end: its caller is gone, the job must say what happened
            logger.exception("the job %s failed", job.id)
            job.error, job.state = error_data(error), "failed"
