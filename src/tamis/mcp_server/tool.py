"""What a tool is, and what its call gets and gives."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tamis.library import Library
    from tamis.mcp_server.arguments import Paged, Schema
    from tamis.mcp_server.fence import Fence
    from tamis.mcp_server.jobs import Jobs
    from tamis.ports import Progress

    # Makes the text of one page of a result, from that page.
    PageText: TypeAlias = Callable[[Any, Fence], str]


class Lane(Enum):
    """Which threads a call may use; the number is how many calls run at once, others wait.

    A model that is slow holds up calls of its own lane and no others; language models have ``CHAT``.
    """

    QUICK = 16
    MODEL = 24
    CHAT = 12
    WORK = 8


@dataclass(frozen=True, slots=True)
class Call:
    """What a call works with: ``raw`` are its arguments as they came, ``progress`` raises where it was cancelled."""

    library: Library
    jobs: Jobs
    raw: Mapping[str, Any]
    progress: Progress


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call found.

    ``value``: a value of the library, or what JSON can say. ``text``: for a model to read; a ready one stands for the whole
    result, a function makes that of each page. ``whole``: hits have their whole text. ``warnings`` and ``degrade_reason``:
    besides the value's own.
    """

    value: object
    text: str | PageText
    whole: bool = False
    warnings: tuple[str, ...] = ()
    degrade_reason: str | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool.

    ``seed_name`` is the name that the system before tamis had for it, ``seed_arguments`` the arguments it had there.
    ``changes``: it writes to corpora. ``destructive``: it may replace or drop what is there.
    ``budgets_itself``: its ``max_tokens`` is its own business and not the length of the reply.
    """

    name: str
    title: str
    description: str
    arguments: type[Paged]
    result: Schema
    run: Callable[[Call, Any], Answer]
    seed_name: str = ""
    seed_arguments: frozenset[str] = frozenset()
    changes: bool = False
    destructive: bool = False
    lane: Lane | Callable[[Any], Lane] = Lane.QUICK
    budgets_itself: bool = False

    def lane_of(self, arguments: Any) -> Lane:
        """Where a call with these arguments runs."""
        return self.lane if isinstance(self.lane, Lane) else self.lane(arguments)
