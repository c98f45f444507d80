"""Lines from a client that the SDK cannot read, and would drop without a word while the client waits."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Callable

PARSE_ERROR, INVALID_REQUEST = -32700, -32600
SHOWN = 200  # characters of a line in the log
LONGEST_NUMBER = 4000  # digits

logger = logging.getLogger(__name__)


def readable(line: str, answer: Callable[[str], None]) -> str | None:
    """The line as the SDK can read it, its pairs whole, or ``None`` after ``answer`` was given the error that JSON-RPC has for it."""
    if line.isspace():
        return None
    if _is_message(line):
        return line
    try:
        value: Any = json.loads(line, parse_int=_number)
    except json.JSONDecodeError:
        return _refused(line, answer, PARSE_ERROR, "this is not JSON", None)
    except RecursionError:
        return _refused(line, answer, PARSE_ERROR, "this is nested too deep", None)
    whole = json.dumps(value, ensure_ascii=False)
    mended = whole_pairs(whole)
    if _is_message(mended):
        return mended + "\n"
    known = cast("dict[str, Any]", value).get("id") if isinstance(value, dict) else None
    problem = "this is no JSON-RPC 2.0 message, or one with a number that is too long or nested too deep"
    return _refused(line, answer, INVALID_REQUEST, problem, known if isinstance(known, (str, int)) else None)


def whole_pairs(text: str) -> str:
    """The text with half a surrogate pair, which clients leave when they cut a text, as U+FFFD."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _number(digits: str) -> int | str:
    """The integer, or its digits where they are more than Python reads."""
    return int(digits) if len(digits) <= LONGEST_NUMBER else digits


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
