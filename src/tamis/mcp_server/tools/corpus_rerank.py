"""``corpus_rerank``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from tamis.mcp_server.arguments import Filled, Paged, given
from tamis.mcp_server.schemas import INTEGER, MAYBE_NUMBER, STRING, record, several
from tamis.mcp_server.tool import Answer, Lane, Tool

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tamis.mcp_server.fence import Fence
    from tamis.mcp_server.tool import Call

SAFE = 2**53 - 1  # integers that every JSON reader keeps exact


class HitArguments(Struct, kw_only=True):
    """What a hit must have; whatever else it has is passed on."""

    id: Filled
    path: Filled
    score: float
    chunk_index: Annotated[int, Meta(ge=-SAFE, le=SAFE)]
    preview: str | UnsetType = UNSET
    heading_path: list[str] | UnsetType = UNSET
    title: str | UnsetType | None = UNSET


class Arguments(Paged, kw_only=True):
    asked_for: ClassVar[dict[str, str]] = {"rerank_by": "driver"}

    hits: Annotated[
        list[HitArguments],
        Meta(min_length=1, description="Hits of corpus_search, or the like from anywhere."),
    ]
    rerank_by: (
        Annotated[
            Literal["recency", "path_specificity", "lexical_boost"],
            Meta(
                description="recency: newest file first. path_specificity: deepest path first. lexical_boost: score plus the "
                "number of lexical_terms found.",
                extra_json_schema={"type": "string"},
            ),
        ]
        | UnsetType
    ) = UNSET
    lexical_terms: (
        Annotated[
            list[Filled],
            Meta(
                description="Needed by lexical_boost: words to look for in preview, headings and title, in any case."
            ),
        ]
        | UnsetType
    ) = UNSET
    driver: (
        Annotated[
            Filled,
            Meta(
                description="Let this driver decide by query, such as cross_encoder, keyword or mmr; rerank_by, where it is given, "
                "is the order should it fail."
            ),
        ]
        | UnsetType
    ) = UNSET
    query: (
        Annotated[str, Meta(description="Needed by a driver: what the hits are to answer.")] | UnsetType
    ) = UNSET
    budget_cents: Annotated[float, Meta(ge=0, description="What the driver may cost.")] | UnsetType = UNSET


def run(call: Call, arguments: Arguments) -> Answer:
    from tamis.rerank import rerank_by

    # The hits as they came: the struct only checks them, and does not keep what it does not know.
    hits: list[dict[str, Any]] = call.raw["hits"]
    driver, rule = given(arguments.driver), given(arguments.rerank_by)
    roots = call.library.roots() if rule == "recency" else ()  # to know them each corpus is asked
    by_rule = rule and rerank_by(hits, rule, given(arguments.lexical_terms), roots=roots)
    if driver is None and by_rule:
        return _answer(rule, by_rule.hits, by_rule.warnings)
    from tamis.library.reranking import ranked_hits

    ranked = ranked_hits(
        call.library,
        given(arguments.query) or "",
        hits,
        driver=driver or "",
        budget_cents=given(arguments.budget_cents),
    )
    warnings, problem = ranked.report.warnings, ranked.report.degrade_reason
    if problem and by_rule:
        return _answer(rule, by_rule.hits, (*warnings, *by_rule.warnings), problem)
    return _answer(None if problem else driver, ranked.documents, warnings, problem)


def _answer(
    by: str | None,
    hits: Sequence[Mapping[str, object]],
    warnings: tuple[str, ...],
    degrade_reason: str | None = None,
) -> Answer:
    result = {"rerank_by": by or "none", "hits": hits}
    return Answer(result, _text, warnings=warnings, degrade_reason=degrade_reason)


def lane(arguments: Arguments) -> Lane:
    """A rule waits for no model."""
    return Lane.QUICK if given(arguments.driver) is None else Lane.MODEL


def _text(result: dict[str, Any], fence: Fence) -> str:
    rows = [
        f"{hit['rank']}. (was {hit['original_rank']}) {hit['path']} id {hit['id']}, score {_shown(hit['rerank_score'])}"
        for hit in result["hits"]
    ]
    head = f"{len(rows)} hits by {result['rerank_by']}, best first. {fence.notice}"
    return f"{head}\n\n{fence.around(chr(10).join(rows))}"


def _shown(score: float | None) -> str:
    return "-" if score is None else f"{score:.6g}"


TOOL = Tool(
    name="corpus_rerank",
    title="Reorder hits",
    description=(
        "Reorder hits that you have by a rule: newest file, deepest path, or your own terms; or by a driver and a query. Use it "
        "after corpus_search when its order is not the one that you need. A rule runs no model, and no file is read. Returns the "
        "hits with original_rank, rerank_score and rank. Next: corpus_get reads the first ones."
    ),
    arguments=Arguments,
    result=record(
        "rerank_by", "hits",
        rerank_by=STRING,
        hits=several(
            record(
                "id", "path", "rank", "original_rank", "rerank_score",
                id=STRING, path=STRING, rank=INTEGER, original_rank=INTEGER, rerank_score=MAYBE_NUMBER,
            )
        ),
    ),
    run=run,
    seed_name="ollama_corpus_rerank",
    seed_arguments=frozenset(("hits", "rerank_by", "lexical_terms")),
    lane=lane,
)  # fmt: skip
