"""What may be configured, with the defaults. The section and key names are those of ``tamis.toml``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

Positive = Annotated[float, Meta(gt=0)]
NotNegative = Annotated[float, Meta(ge=0)]
LEAST_OVER_FETCH, MOST_OVER_FETCH = 1, 20
Share = Annotated[float, Meta(ge=0, le=1)]


class Section(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of the file."""


class Index(Section, frozen=True):
    """How documents are read and cut.

    ``allowed_roots``: folders whose files may be read, besides the home folder and what is named on the command line.
    ``embedder``: ``KEY`` or ``KEY:MODEL``. ``lock_wait_seconds``: how long a writer waits for another.
    """

    chunk_chars: Annotated[int, Meta(ge=100, le=8000)] = 800
    chunk_overlap: Annotated[int, Meta(ge=0, le=4000)] = 100
    embedder: str = "bundled"
    language: str = "english"
    max_file_mb: Positive = 50
    allowed_roots: tuple[str, ...] = ()
    lock_wait_seconds: NotNegative = 30


class Weights(Section, frozen=True):
    """Weights of the lexical fields; one left out keeps its default."""

    title: NotNegative | None = None
    heading: NotNegative | None = None
    path: NotNegative | None = None
    body: NotNegative | None = None


class Search(Section, frozen=True):
    """How a search is made when it does not say otherwise. ``k1`` and ``b`` are BM25's.

    ``log``: keep the searches made on the command line that find something, for ``tamis eval --make-gold``.
    """

    mode: Literal["semantic", "lexical", "hybrid", "fact", "title_path"] = "hybrid"
    top_k: Annotated[int, Meta(ge=1, le=100)] = 10
    preview_chars: Annotated[int, Meta(ge=0, le=500)] = 200
    fusion: str = "default"
    k1: NotNegative = 1.2
    b: Share = 0.75
    log: bool = True
    weights: Weights = Weights()


class ScopeFilter(Section, frozen=True):
    """Which files a scope searches."""

    path_glob: str | None = None
    since: str | None = None


class ScopeReranker(Section, frozen=True):
    """How a scope reranks: ``input_top_n`` candidates go in, ``output_top_n`` come out."""

    driver: str
    input_top_n: Annotated[int, Meta(ge=1, le=1000)] = 100
    output_top_n: Annotated[int, Meta(ge=1, le=1000)] = 20
    config: dict[str, Any] = {}


class Scope(Section, frozen=True):
    """What ``--scope NAME`` searches, and how.

    ``corpus_weights`` weigh the corpora against each other, ``lexical_weight`` and ``dense_weight`` the two sides of each.
    ``over_fetch``: candidates a corpus brings, as a multiple of top_k; 1 to 20, what is beyond counts as the nearest.
    """

    corpora: Annotated[tuple[str, ...], Meta(min_length=1)]
    filter: ScopeFilter = ScopeFilter()
    corpus_weights: dict[str, NotNegative] = {}
    lexical_weight: NotNegative = 1.0
    dense_weight: NotNegative = 1.0
    over_fetch: Annotated[float, Meta(ge=LEAST_OVER_FETCH, le=MOST_OVER_FETCH)] = 2
    min_score: float | None = None
    reranker: ScopeReranker | None = None
    reranker_budget_cents: NotNegative | None = None


class Rerank(Section, frozen=True):
    """``prices``: own prices by ``provider/model``, over the built-in table."""

    prices: dict[str, dict[str, float]] = {}


class ServedModels(Section, frozen=True):
    """How an embedding server is used; what is left out is the driver's or the model's own.

    ``url``: its address. ``key_env``: the variable that holds its key. ``timeout`` and ``query_timeout``: seconds for a batch
    and for a query. ``batch``: texts in a request. ``concurrency``: requests at a time. ``context``: tokens that fit.
    """

    url: str | None = None
    key_env: str | None = None
    timeout: Positive = 120
    query_timeout: Positive = 30
    batch: Annotated[int, Meta(ge=1, le=2048)] = 32
    concurrency: Annotated[int, Meta(ge=1, le=64)] = 4
    context: Annotated[int, Meta(ge=32)] | None = None
    dimensions: Annotated[int, Meta(ge=1)] | None = None
    query_prefix: str | None = None
    passage_prefix: str | None = None


class Embedders(Section, frozen=True):
    """Options of embedders, by driver."""

    ollama: ServedModels = ServedModels()
    openai: ServedModels = ServedModels()


class Tier(Section, frozen=True):
    """A language model: ``model`` of the server at ``url`` (by default ``OLLAMA_HOST``, or OpenAI's own).

    ``key_env``: the variable that holds its key. ``timeout``: seconds that a call may take. ``num_ctx``: tokens that it reads.
    """

    model: str
    backend: Literal["ollama", "openai"] = "ollama"
    url: str | None = None
    key_env: str | None = None
    timeout: Positive = 60
    num_ctx: Annotated[int, Meta(ge=512)] = 8192


class Tiers(Section, frozen=True):
    """Language models by how much they may take; one that is late hands over to the next smaller one.

    ``concurrency``: calls at a time, of all tiers together.
    """

    instant: Tier | None = None
    workhorse: Tier | None = None
    deep: Tier | None = None
    concurrency: Annotated[int, Meta(ge=1, le=64)] = 4


class Config(Section, frozen=True):
    """The whole file."""

    index: Index = Index()
    search: Search = Search()
    rerank: Rerank = Rerank()
    embedder: Embedders = Embedders()
    tiers: Tiers = Tiers()
    scope: dict[str, Scope] = {}
