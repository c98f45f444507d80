"""``compress``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, Meta, UnsetType

from tamis.mcp_server.arguments import CompressTokens, Filled, LevelName, OrderName, Paged, given
from tamis.mcp_server.compressed import COMPRESSED, DEFAULT_BUDGET, result, text
from tamis.mcp_server.tool import Answer, Lane, Tool

if TYPE_CHECKING:
    from tamis.mcp_server.tool import Call


class Arguments(Paged, kw_only=True):
    docs: Annotated[list[Filled], Meta(min_length=1, description="Texts to compress, best first.")]
    query: (
        Annotated[
            Filled, Meta(description="What the text is needed for; keeps the sentences that answer it.")
        ]
        | UnsetType
    ) = UNSET
    max_tokens: CompressTokens | UnsetType = UNSET
    level: LevelName | UnsetType = UNSET
    order: OrderName | UnsetType = UNSET


def run(call: Call, arguments: Arguments) -> Answer:
    del call
    from tamis.compress import compress

    compressed = compress(
        arguments.docs,
        given(arguments.max_tokens) or DEFAULT_BUDGET,
        query=given(arguments.query),
        level=given(arguments.level),
        order="rank" if arguments.order is UNSET else arguments.order,
    )
    return Answer(result(compressed), text, warnings=compressed.warnings)


TOOL = Tool(
    name="compress",
    title="Compress texts",
    description=(
        "Cut texts down to a budget of tokens, keeping verbatim the sentences that matter to the query. Use it when what you "
        "have is longer than what you can read. No model runs. Returns the text with citations, and its tokens before and after."
    ),
    arguments=Arguments,
    result=COMPRESSED,
    run=run,
    lane=Lane.MODEL,
    budgets_itself=True,
)
