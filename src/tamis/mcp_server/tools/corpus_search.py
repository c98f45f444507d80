"""``corpus_search``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from msgspec import UNSET, Meta, Struct, UnsetType

from tamis.mcp_server.arguments import CorpusName, Filled, ModeName, Paged, given
from tamis.mcp_server.schemas import (
    BOOLEAN,
    HIT,
    INTEGER,
    MAYBE_NUMBER,
    NUMBER,
    STRING,
    record,
    several,
)
from tamis.mcp_server.tool import Answer, Lane, Tool
from tamis.types import Filter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tamis.library.request import SearchOptions
    from tamis.mcp_server.fence import Fence
    from tamis.mcp_server.tool import Call

WORDS_ONLY = frozenset(("lexical", "title_path"))


class FilterArguments(Struct, kw_only=True):
    path_glob: (
        Annotated[
            str,
            Meta(
                min_length=1, description="Only files whose path matches; ** crosses folders, * and ? do not."
            ),
        ]
        | UnsetType
    ) = UNSET
    since: (
        Annotated[str, Meta(min_length=1, description="Only files modified at or after this ISO 8601 time.")]
        | UnsetType
    ) = UNSET


class Arguments(Paged, kw_only=True):
    asked_for: ClassVar[dict[str, str]] = {"corpus": "scope"}

    corpus: (
        Annotated[CorpusName, Meta(description="The corpus to search; corpus_list has the names.")]
        | UnsetType
    ) = UNSET
    query: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=1000,
            description="A question or words, as text; there is no query syntax.",
        ),
    ]
    mode: (
        Annotated[
            ModeName,
            Meta(
                description="hybrid (default): words and meaning. semantic: meaning. lexical: words, no model. fact: hybrid, exact "
                "mentions first. title_path: titles, headings and paths only."
            ),
        ]
        | UnsetType
    ) = UNSET
    top_k: Annotated[int, Meta(ge=1, le=100, description="How many passages (default 10).")] | UnsetType = (
        UNSET
    )
    preview_chars: (
        Annotated[int, Meta(ge=0, le=500, description="Length of each preview (default 200); 0 for none.")]
        | UnsetType
    ) = UNSET
    filter: (
        Annotated[FilterArguments, Meta(description="Which files take part; applied before ranking.")]
        | UnsetType
    ) = UNSET
    explain: (
        Annotated[
            bool,
            Meta(
                description="Say why each of the first 5 matched: a model where one is configured, else by rule."
            ),
        ]
        | UnsetType
    ) = UNSET
    corpora: (
        Annotated[
            list[CorpusName],
            Meta(max_length=100, description="Search these as well and rank all hits together."),
        ]
        | UnsetType
    ) = UNSET
    scope: (
        Annotated[
            Filled,
            Meta(
                description="A [scope.NAME] of the configuration: its corpora are searched as well, as it says."
            ),
        ]
        | UnsetType
    ) = UNSET
    text: Annotated[bool, Meta(description="Whole passages in place of previews.")] | UnsetType = UNSET
    rerank: (
        Annotated[
            Filled,
            Meta(description="Rerank the hits with this driver, such as cross_encoder, mmr or keyword."),
        ]
        | UnsetType
    ) = UNSET
    budget_cents: Annotated[float, Meta(ge=0, description="What reranking may cost.")] | UnsetType = UNSET
    min_score: Annotated[float, Meta(description="Leave out hits with a lower score.")] | UnsetType = UNSET
    explain_scores: (
        Annotated[bool, Meta(description="Add each lexical field's share to the score breakdowns.")]
        | UnsetType
    ) = UNSET


def run(call: Call, arguments: Arguments) -> Answer:
    options: SearchOptions = {
        "mode": given(arguments.mode),
        "top_k": given(arguments.top_k),
        "preview_chars": given(arguments.preview_chars),
        "filter": _filter(arguments.filter),
        "rerank": given(arguments.rerank),
        "budget_cents": given(arguments.budget_cents),
        "min_score": given(arguments.min_score),
        "explain_scores": given(arguments.explain_scores) or False,
        "explain": given(arguments.explain) or False,
    }
    result = call.library.search(
        arguments.query, _corpora(call, arguments), scope=given(arguments.scope), **options
    )
    return Answer(result, _text, whole=given(arguments.text) or False)


def _corpora(call: Call, arguments: Arguments) -> list[str]:
    from tamis.library.request import scope_named

    corpus = given(arguments.corpus)
    found = scope_named(given(arguments.scope), call.library.config)
    return [
        *([] if corpus is None else [corpus]),
        *(given(arguments.corpora) or ()),
        *(found.corpora if found else ()),
    ]


def lane(arguments: Arguments) -> Lane:
    """A search by words alone waits for no model."""
    if given(arguments.explain):
        return Lane.CHAT
    modelled = not (arguments.rerank is UNSET and arguments.scope is UNSET)
    return Lane.QUICK if given(arguments.mode) in WORDS_ONLY and not modelled else Lane.MODEL


def _filter(asked: FilterArguments | UnsetType) -> Filter | None:
    found = given(asked)
    return None if found is None else Filter(given(found.path_glob), given(found.since))


def _text(result: dict[str, Any], fence: Fence) -> str:
    hits: list[dict[str, Any]] = result["hits"]
    if not hits:
        return f"No passages: {result.get('reason') or 'nothing matches'}."
    head = f"{len(hits)} of {result['total_chunks']:,} passages of {result['corpus_name']} ({result['mode']}), best first."
    if reason := result.get("reason"):
        head += f" Weak: {reason}."
    return "\n\n".join(
        [
            f"{head} {fence.notice}",
            *(_hit(hit, fence) for hit in hits),
            "corpus_get with an id or a path reads more.",
        ]
    )


def _hit(hit: dict[str, Any], fence: Fence) -> str:
    score = hit.get("rerank_score", hit["score"])
    told = [f"[{hit['rank']}] id {hit['id']}", "score -" if score is None else f"score {score:.4g}"]
    if hit.get("stale"):
        told.append("the file has changed since")
    return f"{', '.join(told)}\n{fence.around(chr(10).join(_passage(hit)))}"


def _passage(hit: dict[str, Any]) -> Iterator[str]:
    first, last = hit["lines"]
    yield f"{hit['path']}:{first}-{last}"
    headings: list[str] = [hit["title"], *hit["heading_path"]]
    if where := " > ".join(dict.fromkeys(heading for heading in headings if heading)):
        yield where
    if shown := hit.get("text") or hit.get("preview"):
        yield shown
    if why := hit.get("why_matched"):
        yield f"(why: {why})"


TOOL = Tool(
    name="corpus_search",
    title="Search a corpus",
    description=(
        "Recall passages from the user's indexed documents, notes and code. Use it before answering anything that they may "
        "hold. Returns ranked hits with id, path, lines, headings and a preview. Next: corpus_get reads a hit in full; cite "
        "hits as path:lines; if hits are weak, rephrase or try another mode."
    ),
    arguments=Arguments,
    result=record(
        "hits", "corpus_name", "total_chunks", "mode",
        hits=several(HIT), corpus_name=STRING, model_version=STRING, total_chunks=INTEGER, mode=STRING, weak=BOOLEAN,
        reason=STRING, dense_coverage=NUMBER, reranker=STRING,
        filter_applied=record("total_before", "kept", total_before=INTEGER, kept=INTEGER, path_glob=STRING, since=STRING),
        top_score=MAYBE_NUMBER,
    ),
    run=run,
    seed_name="ollama_corpus_search",
    seed_arguments=frozenset(("corpus", "query", "mode", "top_k", "preview_chars", "filter", "explain")),
    lane=lane,
)  # fmt: skip
