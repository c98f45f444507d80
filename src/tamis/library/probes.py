"""Looks at things that may take their time, all at once and none longer than it may."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tamis.errors import TamisError
from tamis.library.check import Check

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True, slots=True)
class Probe:
    """``look`` finds out about ``name``. ``late``: what is said when that takes longer than ``patience`` seconds, if not that."""

    topic: str
    name: str
    look: Callable[[], Sequence[Check]]
    patience: float
    late: Check | None = None


@dataclass(slots=True)
class _Look:
    """A probe under way; the thread is left behind when it is late, and keeps no process from ending."""

    probe: Probe
    found: Sequence[Check] | None = None
    failed: Exception | None = None
    thread: threading.Thread = field(init=False)

    def start(self) -> None:
        self.thread = threading.Thread(target=self._run, name="tamis-probe", daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            self.found = self.probe.look()
        except Exception as error:  # noqa: BLE001 raised where it is waited for
            self.failed = error

    def result(self, began: float) -> Sequence[Check]:
        self.thread.join(max(0.0, began + self.probe.patience - time.monotonic()))
        probe, error = self.probe, self.failed
        if isinstance(error, TamisError):
            return [Check(probe.topic, probe.name, "failed", error.message, error.hint)]
        if error is not None:
            raise error
        if self.found is not None:
            return self.found
        return [probe.late or slow(probe.topic, probe.name, probe.patience)]


def look_at_all(probes: Sequence[Probe]) -> list[Check]:
    """What all probes find, in their order; a ``TamisError`` is a failure. They run at the same time."""
    looks = [_Look(probe) for probe in probes]
    began = time.monotonic()
    for look in looks:
        look.start()
    return [check for look in looks for check in look.result(began)]


def slow(topic: str, name: str, patience: float, detail: str = "") -> Check:
    """The warning that something takes long."""
    told = f"has not answered within {patience:g} s"
    return Check(
        topic,
        name,
        "warning",
        f"{detail} {told}" if detail else told,
        "a server that loads a model first may need longer: look again, or at its log",
    )
