"""Refine: from what was found to the evidence that fits a token budget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypedDict, TypeVar, cast

from tamis.errors import InputError
from tamis.library.request import SearchOptions
from tamis.types import Hit, SearchResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.compress import Form, Level, Order, RefineStats, TokenCounter, Unit
    from tamis.library.ranked import RankedMemories
    from tamis.ports import Embedder
    from tamis.rerank import RerankReport

Memory = TypeVar("Memory", bound="Mapping[str, Any] | Hit")

TOP_K = 5
MAX_TOKENS = 2000
KEYWORD = "keyword"


class CompressOptions(TypedDict, total=False):
    """How evidence is compressed; see ``tamis.compress``.

    max_tokens: The budget, 2,000 when left out; headers and marks count.
    level: ``strip``, ``truncate`` or ``extract``; ``extract`` when left out.
    tokenizer: ``bundled``, ``o200k``, ``cl100k``, ``chars/4``, the path of a ``tokenizer.json``, or a counter.
    order: ``rank``, ``document`` or ``lost_in_the_middle``.
    form: ``text``, ``markdown``, ``json`` or ``xml``.
    """

    max_tokens: int
    level: Level | None
    tokenizer: str | TokenCounter
    order: Order
    form: Form


class RefineOptions(SearchOptions, CompressOptions, total=False):
    """What refining a search may be told: all that a search and a compression may.

    dense: Weigh what is kept by its meaning as well, with the corpus's own embedder. Off when left out: it embeds up to 96
        units, which takes seconds where a search takes milliseconds.
    """

    dense: bool


@dataclass(frozen=True, slots=True)
class Evidence(Generic[Memory]):
    """What is left of memories or hits under a budget.

    ``memories``: each as it was given, best first, but with the text that is kept of it. ``text``: all of it as one text with
    its sources, which is what was counted. ``units``: the parts that were kept, with path, span, lines and hash; their
    ``source`` counts from 0 in the list that went into compression.
    ``reranker``: whose order decided, ``None`` for the order given.
    """

    memories: tuple[Memory, ...]
    stats: RefineStats
    text: str
    units: tuple[Unit, ...]
    reranker: str | None = None
    cost_cents: float | None = None
    degraded: bool = False
    degrade_reason: str | None = None
    warnings: tuple[str, ...] = ()


def refine(
    query: str,
    memories: Sequence[Memory] | SearchResult,
    *,
    top_k: int = TOP_K,
    max_tokens: int = MAX_TOKENS,
    rerank: str | None = None,
    rerank_config: Mapping[str, Any] | None = None,
    level: Level | None = None,
    tokenizer: str | TokenCounter = "bundled",
    order: Order = "rank",
    form: Form = "text",
    embedder: Embedder | None = None,
) -> Evidence[Memory]:
    """Rerank, keep the best ``top_k``, and compress them to ``max_tokens``.

    Args:
        query: What the memories are needed for.
        memories: Mappings ``{content, id?, title?, date?}``, hits, or the result of a search.
        top_k: How many go into compression.
        rerank: The key of a reranker. When left out, ``keyword`` for mappings and the order given for hits.
        rerank_config: Its options.
        embedder: Weighs what is kept by its meaning as well; the other arguments are those of ``tamis.compress``.

    Raises:
        InputError: A memory has no text, or an argument is off.
        BudgetError: Nothing useful fits in the budget.
    """
    from tamis.rerank.memories import check_memories

    if not isinstance(query, str):  # pyright: ignore[reportUnnecessaryIsInstance]  # the seed's order of arguments
        raise InputError("the query comes first", hint="write refine(query, memories)")
    if not isinstance(top_k, int) or top_k < 1:  # pyright: ignore[reportUnnecessaryIsInstance]  # not all callers are typed
        raise InputError(f"top_k is {top_k!r}", hint="use 1 or more")
    given = cast("Sequence[Memory]", memories.hits if isinstance(memories, SearchResult) else memories)
    check_memories(given, (Mapping, Hit))
    key = rerank or (KEYWORD if given and isinstance(given[0], Mapping) else None)
    ranked, report = given[:top_k], None
    if key is not None and given:
        ranked, report = _reranked(query, given, key, top_k, rerank_config or {})
    found = memories if isinstance(memories, SearchResult) else None
    options = CompressOptions(max_tokens=max_tokens, level=level, tokenizer=tokenizer, order=order, form=form)
    return _evidence(query, given, ranked, options, embedder, found, report)


def refined(
    result: SearchResult, query: str, options: CompressOptions, embedder: Embedder | None
) -> Evidence[Hit]:
    """The evidence in the hits of a search, in their order; raises as ``refine``."""
    return _evidence(query, result.hits, result.hits, options, embedder, result, None)


def refined_memories(
    ranked: RankedMemories, given: Sequence[Mapping[str, Any]], options: CompressOptions
) -> Evidence[Mapping[str, Any]]:
    """The evidence in the best of the memories ``given``; raises as ``refine``."""
    return _evidence(ranked.query, given, ranked.memories, options, None, ranked, None)


def split(options: RefineOptions) -> tuple[SearchOptions, CompressOptions, bool]:
    """What is the search's, what is the compression's, and ``dense``."""
    own = CompressOptions.__optional_keys__
    search = {name: value for name, value in options.items() if name not in own and name != "dense"}
    compress = {name: value for name, value in options.items() if name in own}
    # Evidence is shown by its text, so that a preview would be a copy.
    search.setdefault("preview_chars", 0)
    return cast("SearchOptions", search), cast("CompressOptions", compress), options.get("dense", False)


def _reranked(
    query: str, given: Sequence[Memory], key: str, top_k: int, config: Mapping[str, Any]
) -> tuple[Sequence[Memory], RerankReport]:
    from tamis.rerank import RerankSettings, create, rerank_documents, rerank_hits

    settings = RerankSettings(key, input_top_n=len(given), output_top_n=top_k, config=config)
    driver = create(key)
    if isinstance(given[0], Hit):
        hits = rerank_hits(query, cast("Sequence[Hit]", given), driver, settings)
        return cast("Sequence[Memory]", hits.hits), hits.report
    documents = rerank_documents(query, cast("Sequence[Mapping[str, object]]", given), driver, settings)
    return cast("Sequence[Memory]", documents.documents), documents.report


def _evidence(
    query: str,
    given: Sequence[Memory],
    ranked: Sequence[Memory],
    options: CompressOptions,
    embedder: Embedder | None,
    found: SearchResult | RankedMemories | None,
    report: RerankReport | None,
) -> Evidence[Memory]:
    from tamis.compress import refine as compress_refine

    made = compress_refine(
        query, given, lambda _memories, _query, _top_k: ranked, embedder=embedder, **options
    )
    reasons = [each.degrade_reason for each in (found, report) if each is not None and each.degraded]
    costs = [found.cost_cents if found else None, report.charged_cents if report else None]
    known = [cost for cost in costs if cost is not None]
    return Evidence(
        memories=made.memories,
        stats=made.stats,
        text=made.compressed.text,
        units=made.compressed.units,
        reranker=report.driver if report else found.reranker if found else None,
        cost_cents=sum(known) if known else None,
        degraded=bool(reasons),
        degrade_reason="; ".join(filter(None, reasons)) or None,
        warnings=(
            *(found.warnings if found else ()),
            *(report.warnings if report else ()),
            *(made.compressed.warnings if ranked else ()),
        ),
    )
