"""Answers and errors as the protocol has them: structured content and a text block."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from mcp_types import CallToolResult, TextContent

from tamis.errors import TamisError
from tamis.mcp_server.fence import Fence
from tamis.mcp_server.paging import divide
from tamis.mcp_server.tokens import estimate
from tamis.render import encode, error_data, one_line, wrap

if TYPE_CHECKING:
    from tamis.mcp_server.paging import Divided, Waiting
    from tamis.mcp_server.tool import Answer, PageText

logger = logging.getLogger(__name__)
CUT = "an item is too long for a reply of this length, and is cut where it says …"
UNEXPECTED_HINT = "the traceback is in the server's log, on its standard error"


@dataclass(frozen=True, slots=True)
class Rest:
    """What is left of an answer: everything from the unit ``start`` on."""

    tool: str
    envelope: dict[str, Any]
    divided: Divided
    text: str | PageText
    start: int = 0


def reply(tool: str, answer: Answer, started: float, max_tokens: int, waiting: Waiting) -> CallToolResult:
    """The first page of an answer."""
    elapsed_ms = (time.perf_counter() - started) * 1000
    envelope = wrap(answer.value, elapsed_ms, text=answer.whole).data()
    envelope["warnings"] += answer.warnings
    if answer.degrade_reason is not None:
        envelope |= {"degraded": True, "degrade_reason": answer.degrade_reason}
    result = envelope.pop("result")
    return next_page(Rest(tool, envelope, divide(result), answer.text), max_tokens, waiting)


def next_page(rest: Rest, max_tokens: int, waiting: Waiting) -> CallToolResult:
    """As much of the rest as fits, with a cursor for what is still left."""
    result, end, cut = rest.divided.page(rest.start, max_tokens)
    data: dict[str, Any] = {"result": result, **rest.envelope}
    if cut:
        data["warnings"] = [*data["warnings"], CUT]
    partial = end < len(rest.divided.units)
    if partial:
        later = Rest(rest.tool, rest.envelope, rest.divided, rest.text, end)
        data["next_cursor"] = waiting.keep(later)
    fence = Fence()
    if not isinstance(rest.text, str):
        text = rest.text(result, fence)
    elif partial or rest.start or estimate(rest.text) > max_tokens:
        text = encode(result).decode()
    else:
        text = rest.text
    parts = [text, *(f"warning: {one_line(warning)}" for warning in data["warnings"])]
    if partial:
        left = len(rest.divided.units) - end
        parts.append(
            f'There is more ({left} left): call {rest.tool} with {{"cursor": "{data["next_cursor"]}"}} and nothing else.'
        )
    return _result("\n\n".join(filter(None, parts)), data)


def failure(error: Exception) -> CallToolResult:
    """An error as a result, so that the model reads what to do about it."""
    data = error_data(error)
    if not isinstance(error, TamisError):
        logger.error("a call failed", exc_info=error)
        data["hint"] = UNEXPECTED_HINT
    text = f"error {data['code']}: {one_line(data['message'])}"
    if data["hint"]:
        text += f"\nhint: {one_line(data['hint'])}"
    if data["retryable"]:
        text += "\nThe same call may succeed later."
    return _result(text, data, is_error=True)


def _result(text: str, data: dict[str, Any], *, is_error: bool = False) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structured_content=cast("object", data),
        is_error=is_error,
    )
