"""What the tools that compress answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tamis.mcp_server.schemas import INTEGER, NUMBER, STRING, record, several

if TYPE_CHECKING:
    from tamis.compress import Compressed
    from tamis.mcp_server.fence import Fence

DEFAULT_BUDGET = 2000

COMPRESSED = record(
    "text", "tokens_before", "tokens_after",
    text=STRING, tokens_before=INTEGER, tokens_after=INTEGER, ratio=NUMBER, tokenizer=STRING, level=STRING, order=STRING,
    truncated=several(INTEGER), dropped=several(INTEGER),
)  # fmt: skip


def result(compressed: Compressed) -> dict[str, Any]:
    """The text and what it cost; the units that it is made of are in it."""
    names = (
        "text",
        "tokens_before",
        "tokens_after",
        "ratio",
        "tokenizer",
        "level",
        "order",
        "truncated",
        "dropped",
    )
    return {name: getattr(compressed, name) for name in names}


def text(page: dict[str, Any], fence: Fence) -> str:
    """What is left, fenced."""
    if not page["text"]:
        return "No passages: nothing matches."
    head = f"{page['tokens_after']:,} of {page['tokens_before']:,} tokens are left. {fence.notice}"
    return f"{head}\n\n{fence.around(page['text'])}"
