"""``rerank``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from tamis.mcp_server.arguments import Filled, Paged, given
from tamis.mcp_server.schemas import INTEGER, MAYBE_NUMBER, STRING, record, several
from tamis.mcp_server.tool import Answer, Lane, Tool

if TYPE_CHECKING:
    from tamis.mcp_server.fence import Fence
    from tamis.mcp_server.tool import Call

DEFAULT_DRIVER = "keyword"


class Arguments(Paged, kw_only=True):
    query: Annotated[str, Meta(description="What the documents are to be ranked against.")]
    docs: Annotated[list[str], Meta(description="Texts to rank.")]
    driver: (
        Annotated[
            Filled,
            Meta(description="keyword (default) counts words; cross_encoder and llm_judge read; and others."),
        ]
        | UnsetType
    ) = UNSET
    top_k: (
        Annotated[int, Meta(ge=1, le=1000, description="Keep the best of them; all when left out.")]
        | UnsetType
    ) = UNSET
    budget_cents: Annotated[float, Meta(ge=0, description="What the driver may cost.")] | UnsetType = UNSET


def run(call: Call, arguments: Arguments) -> Answer:
    from tamis.library import drivers

    docs = arguments.docs
    top_k = min(given(arguments.top_k, len(docs)) or 0, len(docs))
    driver = drivers.driver(given(arguments.driver) or DEFAULT_DRIVER, call.library.config)
    ranked = drivers.ranked_documents(
        call.library.home,
        driver,
        arguments.query,
        [{"content": doc} for doc in docs],
        top_n=top_k,
        budget_cents=given(arguments.budget_cents),
    )
    results = [
        {
            "index": int(str(doc["original_rank"])) - 1,
            "rank": doc["rank"],
            "score": doc["rerank_score"],
            "content": doc["content"],
        }
        for doc in ranked.documents
    ]
    return Answer(
        {"query": arguments.query, "results": results},
        _text,
        warnings=ranked.report.warnings,
        degrade_reason=ranked.report.degrade_reason,
    )


def lane(arguments: Arguments) -> Lane:
    """Counting words waits for no model."""
    return Lane.QUICK if given(arguments.driver) in (None, DEFAULT_DRIVER) else Lane.MODEL


def _text(result: dict[str, Any], fence: Fence) -> str:
    if not result["results"]:
        return "There are no documents to rank."
    blocks = [
        f"[{item['rank']}] document {item['index']}, score {'-' if item['score'] is None else format(item['score'], '.4g')}\n"
        + fence.around(item["content"])
        for item in result["results"]
    ]
    return "\n\n".join([f"{len(blocks)} documents, best first. {fence.notice}", *blocks])


TOOL = Tool(
    name="rerank",
    title="Rank texts against a query",
    description=(
        "Rank texts that you have against a query; no corpus is needed. Use it to choose what to read among many candidates. "
        "Returns {query, results} with index (place in docs), rank, score and content, best first."
    ),
    arguments=Arguments,
    result=record(
        "query", "results",
        query=STRING,
        results=several(
            record("index", "rank", "content", index=INTEGER, rank=INTEGER, score=MAYBE_NUMBER, content=STRING)
        ),
    ),
    run=run,
    seed_name="vant_rerank",
    seed_arguments=frozenset(("query", "docs")),
    lane=lane,
)  # fmt: skip
