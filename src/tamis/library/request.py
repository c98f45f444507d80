"""What a search is asked for, put together from its options, its scope and the configuration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypedDict

from tamis.errors import ConfigError, InputError
from tamis.fusion import FUSIONS
from tamis.lexical import FIELD_WEIGHTS, TITLE_WEIGHTS
from tamis.search.plan import SPARE_HITS, Plan, check
from tamis.suggestions import suggestion
from tamis.types import Bm25, Filter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.config import Config
    from tamis.config.schema import Scope
    from tamis.rerank import RerankSettings
    from tamis.types import FieldWeights, Mode


class SearchOptions(TypedDict, total=False):
    """What a search may be told; what is left out is the scope's, else the configuration's.

    mode: ``hybrid`` (both sides fused), ``semantic`` (by meaning), ``lexical`` (BM25), ``fact`` (hybrid, exact mentions first)
        or ``title_path`` (titles, headings and paths only).
    top_k: How many hits, 1 to 100.
    filter: Which files take part; applied before ranking.
    preview_chars: Length of each hit's preview, 0 to 500.
    fusion: How the two sides become one ranking; ``rrf`` is plain reciprocal rank fusion.
    explain_scores: Add each lexical field's share to the score breakdowns.
    min_score: Hits whose score is below it are left out; with a reranker those whose ``rerank_score`` is, and none where it
        gave no scores. Blended, that is 1 at most.
    rerank: The key of a reranker; ``noop`` for none where a scope has one.
    rerank_config: Its options.
    budget_cents: What reranking may cost; no limit when left out.
    corpus_weights: Weight of each corpus, by name, when several are searched.
    explain: Say of the first five hits why they matched: a language model where one is configured, else by rule.
    """

    mode: Mode | None
    top_k: int | None
    filter: Filter | None
    preview_chars: int | None
    fusion: str | None
    explain_scores: bool
    min_score: float | None
    rerank: str | None
    rerank_config: Mapping[str, Any] | None
    budget_cents: float | None
    corpus_weights: Mapping[str, float] | None
    explain: bool


_KINDS: dict[str, tuple[type, ...]] = {
    "mode": (str,),
    "top_k": (int,),
    "filter": (Filter,),
    "preview_chars": (int,),
    "fusion": (str,),
    "explain_scores": (bool,),
    "min_score": (int, float),
    "rerank": (str,),
    "rerank_config": (Mapping,),
    "budget_cents": (int, float),
    "corpus_weights": (Mapping,),
    "explain": (bool,),
}


@dataclass(frozen=True, slots=True)
class Request:
    """A search, ready to be carried out: a value that can be shown before anything is done.

    ``plan`` is carried out in each of the ``corpora``; its limit is what each of them brings.
    """

    plan: Plan
    corpora: tuple[str, ...]
    top_k: int
    scope: str = ""
    corpus_weights: Mapping[str, float] = field(default_factory=dict[str, float])
    reranker: RerankSettings | None = None
    budget_cents: float | None = None
    min_score: float | None = None
    explain: bool = False
    warnings: tuple[str, ...] = ()


def make_request(
    query: str, corpora: Sequence[str], scope: str | None, options: SearchOptions, config: Config
) -> Request:
    """Options over scope over configuration.

    Raises:
        InputError: There is no such option, or it is of another kind or out of its range.
        ConfigError: There is no such scope, or it makes no sense.
    """
    _check_kinds(query, options)
    found = scope_named(scope, config)
    top_k = _first(options.get("top_k"), config.search.top_k)
    mode = _first(options.get("mode"), config.search.mode)
    preview_chars = _first(options.get("preview_chars"), config.search.preview_chars)
    check(query, mode, top_k, preview_chars)
    reranker = _reranker(options, found, top_k)
    searched = tuple(dict.fromkeys(corpora)) or (() if found is None else found.corpora)
    plan = Plan(
        query=query,
        mode=mode,
        limit=_limit(top_k, reranker, found),
        weights=_weights(FIELD_WEIGHTS, config),
        title_weights=replace(_weights(TITLE_WEIGHTS, config), body=0.0),
        bm25=Bm25(config.search.k1, config.search.b),
        fusion=known_fusion(_first(options.get("fusion"), config.search.fusion)),
        lexical_weight=1.0 if found is None else found.lexical_weight,
        dense_weight=1.0 if found is None else found.dense_weight,
        filter=_filter(options.get("filter"), found),
        preview_chars=preview_chars,
        distinct=top_k if reranker is None and len(searched) == 1 else None,
        explain_fields=options.get("explain_scores", False),
    )
    return Request(
        plan=plan,
        corpora=searched,
        top_k=top_k,
        scope=scope or "",
        corpus_weights=_first(options.get("corpus_weights"), {} if found is None else found.corpus_weights),
        reranker=reranker,
        budget_cents=_first(options.get("budget_cents"), found and found.reranker_budget_cents),
        min_score=_first(options.get("min_score"), found and found.min_score),
        explain=options.get("explain", False),
    )


def _check_kinds(query: object, options: Mapping[str, Any]) -> None:
    if not isinstance(query, str):
        raise InputError(f"the query is {query!r}", hint="pass it as a text")
    for name, value in options.items():
        kinds = _KINDS.get(name)
        if kinds is None:
            raise InputError(f"a search has no option {name!r}", hint=suggestion(name, _KINDS))
        odd_truth = isinstance(value, bool) and bool not in kinds
        if value is not None and (odd_truth or not isinstance(value, kinds)):
            wanted = " or ".join(kind.__name__ for kind in kinds)
            raise InputError(f"{name} is {value!r}", hint=f"{name} takes a value of the type {wanted}")


def scope_named(name: str | None, config: Config) -> Scope | None:
    """The scope of this name; ``None`` for no name.

    Raises:
        ConfigError: There is none; the hint names the nearest.
    """
    if name is None:
        return None
    if name not in config.scope:
        none = "no [scope.NAME] is configured"
        hint = suggestion(name, sorted(config.scope), "scopes") if config.scope else none
        raise ConfigError(f"there is no scope {name!r}", hint=hint)
    return config.scope[name]


def _first(value: Any, otherwise: Any) -> Any:
    return otherwise if value is None else value


def _limit(top_k: int, reranker: RerankSettings | None, scope: Scope | None) -> int:
    wanted = top_k + SPARE_HITS if scope is None else round(top_k * scope.over_fetch)
    return wanted if reranker is None else max(wanted, reranker.input_top_n)


def known_fusion(name: str) -> str:
    """The name; raises ``InputError`` when no fusion has it."""
    if name not in FUSIONS:
        raise InputError(f"unknown fusion {name!r}", hint=f"fusions: {', '.join(sorted(FUSIONS))}")
    return name


def _filter(asked: Filter | None, scope: Scope | None) -> Filter:
    if scope is None:
        return asked or Filter()
    given = asked or Filter()
    return Filter(given.path_glob or scope.filter.path_glob, given.since or scope.filter.since)


def _weights(default: FieldWeights, config: Config) -> FieldWeights:
    chosen = config.search.weights
    return type(default)(
        title=_first(chosen.title, default.title),
        heading=_first(chosen.heading, default.heading),
        path=_first(chosen.path, default.path),
        body=_first(chosen.body, default.body),
    )


def _reranker(options: SearchOptions, scope: Scope | None, top_k: int) -> RerankSettings | None:
    table = None if scope is None else scope.reranker
    key = options.get("rerank") or (table.driver if table else None)
    if key is None:
        if options.get("rerank_config"):
            raise InputError("rerank_config without a reranker", hint="name one with rerank")
        return None
    from tamis.rerank import OUTPUT_TOP_N, RerankSettings

    config = dict(options.get("rerank_config") or {})
    if table is None:
        return RerankSettings(key, output_top_n=max(OUTPUT_TOP_N, top_k), config=config)
    own = table.config if table.driver == key else {}
    return RerankSettings(key, table.input_top_n, table.output_top_n, {**own, **config})
