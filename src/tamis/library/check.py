"""One thing that the doctor looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Status = Literal["ok", "note", "warning", "failed"]


@dataclass(frozen=True, slots=True)
class Check:
    """What was looked at and what was found. ``hint`` says what to do where something is to be done."""

    topic: str
    name: str
    status: Status
    detail: str
    hint: str = ""
