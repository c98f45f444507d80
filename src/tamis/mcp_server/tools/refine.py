"""``refine``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, Meta, UnsetType

from tamis.errors import InputError
from tamis.mcp_server.arguments import CompressTokens, CorpusName, Filled, LevelName, OrderName, Paged, given
from tamis.mcp_server.compressed import COMPRESSED, DEFAULT_BUDGET, result, text
from tamis.mcp_server.tool import Answer, Lane, Tool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.compress import Compressed
    from tamis.mcp_server.tool import Call
    from tamis.types import Hit

DEFAULT_TOP_K = 10


class Arguments(Paged, kw_only=True):
    query: Annotated[str, Meta(min_length=1, max_length=1000, description="What the evidence is needed for.")]
    corpus: Annotated[CorpusName, Meta(description="Take the passages from this corpus.")] | UnsetType = UNSET
    docs: Annotated[list[Filled], Meta(min_length=1, description="Or take these texts.")] | UnsetType = UNSET
    top_k: (
        Annotated[int, Meta(ge=1, le=100, description="Passages that are compressed (default 10).")]
        | UnsetType
    ) = UNSET
    max_tokens: CompressTokens | UnsetType = UNSET
    level: LevelName | UnsetType = UNSET
    order: OrderName | UnsetType = UNSET


def run(call: Call, arguments: Arguments) -> Answer:
    if (arguments.corpus is UNSET) is (arguments.docs is UNSET):
        raise InputError("refine takes a corpus or docs", hint="give one of them")
    top_k = given(arguments.top_k) or DEFAULT_TOP_K
    if (corpus := given(arguments.corpus)) is None:
        from tamis.rerank import rerank_memories

        memories = [{"content": doc} for doc in given(arguments.docs) or ()]
        best = [str(memory["content"]) for memory in rerank_memories(memories, arguments.query, top_k)]
        compressed = _compressed(arguments, best)
        return Answer(result(compressed), text, warnings=compressed.warnings)
    found = call.library.search(arguments.query, [corpus], top_k=top_k)
    if not found.hits:
        return Answer({"text": "", "tokens_before": 0, "tokens_after": 0}, text, warnings=found.warnings)
    compressed = _compressed(arguments, found.hits)
    return Answer(result(compressed), text, warnings=(*found.warnings, *compressed.warnings))


def _compressed(arguments: Arguments, items: Sequence[str] | Sequence[Hit]) -> Compressed:
    from tamis.compress import compress

    return compress(
        items,
        given(arguments.max_tokens) or DEFAULT_BUDGET,
        query=arguments.query,
        level=given(arguments.level),
        order="rank" if arguments.order is UNSET else arguments.order,
    )


TOOL = Tool(
    name="refine",
    title="Evidence that fits",
    description=(
        "Find the evidence for a query and cut it down to a budget of tokens: search or rank, then compress. Use it in place of "
        "corpus_search when you want one short text to answer from. Returns the text with citations and its sources."
    ),
    arguments=Arguments,
    result=COMPRESSED,
    run=run,
    lane=Lane.MODEL,
    budgets_itself=True,
)
