"""Lines from a client that the SDK cannot read, and would drop without a word while the client waits."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Callable

PARSE_ERROR, INVALID_REQUEST = -32700, -32600
SHOWN = 200  # characters of a line in the log

logger = logging.getLogger(__name__)


def readable(line: str, answer: Callable[[str], None]) -> str | None:
    """The line as the SDK can read it, or ``None`` after ``answer`` was given the error that JSON-RPC has for it.

    Half a surrogate pair, which clients leave when they cut a text, becomes U+FFFD.
    """
    if line.isspace():
        return None
    if _is_message(line):
        return line
    try:
        value: Any = json.loads(line)
    except (ValueError, RecursionError):
        return _refused(line, answer, PARSE_ERROR, "this is not JSON", None)
    whole = json.dumps(value, ensure_ascii=False)
    mended = whole.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if _is_message(mended):
        return mended + "\n"
    known = cast("dict[str, Any]", value).get("id") if isinstance(value, dict) else None
    problem = "this is no JSON-RPC 2.0 message, or one that is nested too deep"
    return _refused(line, answer, INVALID_REQUEST, problem, known if isinstance(known, (str, int)) else None)


def _is_message(line: str) -> bool:
    from mcp_types import jsonrpc_message_adapter
    from pydantic import ValidationError

    try:
        jsonrpc_message_adapter.validate_json(line, by_name=False)
    except (ValidationError, UnicodeEncodeError):
        return False
    return True


def _refused(line: str, answer: Callable[[str], None], code: int, message: str, id: str | int | None) -> None:
    logger.warning("%s: %r", message, line[:SHOWN])
    error = {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}
    answer(json.dumps(error) + "\n")
