"""``http``: a rerank server of one's own: vLLM, llama.cpp, LocalAI, Infinity, Text Embeddings Inference and their like."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple
from urllib.parse import urlsplit

from tamis.errors import ConfigError
from tamis.rerank.prices import Price
from tamis.rerank.registry import register
from tamis.rerank.wire.hosted import TokenPricedReranker
from tamis.rerank.wire.rerank_reply import RerankReply
from tamis.types import RerankCapabilities
from tamis.wire.endpoint import Endpoint, below, named
from tamis.wire.post import RefusedError, post_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tamis.rerank.options import Options

TEXTS_BATCH = 32
"""Texts that Text Embeddings Inference takes in one request unless it is started with another limit."""

MISSING_PATH = frozenset({404, 405})
WRONG_BODY = frozenset({400, 415, 422})


class Form(NamedTuple):
    """One way to ask: the endpoint's URL, and the name under which the passages go."""

    url: str
    shape: str


@register
class Http(TokenPricedReranker):
    """Options: ``url`` (of the server, or of its rerank endpoint), ``model``, ``key_env`` (variable with the key; without
    it none is sent), ``shape`` (``documents``, or ``texts`` for Text Embeddings Inference; found out when left out),
    ``batch`` (documents in one request).

    Free, unless the price table has ``http/MODEL``.
    """

    key = "http"
    known_options = frozenset({"url", "model", "key_env", "shape", "batch"})
    capabilities = RerankCapabilities(needs_network=True, max_results=1000, cacheable=True)

    _working: ClassVar[dict[tuple[Form, ...], Form]] = {}

    def scored(self, options: Options, model: str, query: str, texts: list[str]) -> RerankReply:
        where = self.endpoint(options)
        forms = _forms(where.url, options.choice("shape", "", ("", "documents", "texts")))
        scores: dict[int, float] = {}
        tokens = 0.0
        start = 0
        while start < len(texts):
            form = self._working.get(forms, forms[0])
            size = options.whole("batch", TEXTS_BATCH if form.shape == "texts" else len(texts))
            part = texts[start : start + size]
            reply = self._ask(where, forms, model, query, part)
            if reply is None:  # the server wants another form, which may want smaller parts
                continue
            scores |= {start + index: score for index, score in reply.scores.items()}
            tokens += reply.total_tokens or 0.0
            start += len(part)
        return RerankReply(scores, tokens or None)

    def _ask(
        self, where: Endpoint, forms: tuple[Form, ...], model: str, query: str, texts: list[str]
    ) -> RerankReply | None:
        form = self._working.get(forms, forms[0])
        try:
            reply = post_json(
                Endpoint(where.driver, form.url, where.key),
                _body(form.shape, model, query, texts),
                deadline=self.deadline,
            )
        except RefusedError as error:
            following = forms[forms.index(form) + 1 :]
            if not following or not _asks_for(following[0], form, error):
                self._working.pop(forms, None)
                raise
            self._working[forms] = following[0]
            return None
        return self.read(reply, len(texts))

    def price(self, config: Mapping[str, object] | None) -> Price | None:
        return super().price(config) or Price()

    def model(self, config: Mapping[str, object]) -> str:
        options = self._options(config)
        return f"{options.text('model', '')}@{named(_url(options))}"


def _url(options: Options) -> str:
    url = options.text("url", "")
    if not url:
        raise ConfigError("http needs a url", hint="for instance url=http://localhost:8080")
    return url


def _forms(url: str, shape: str) -> tuple[Form, ...]:
    """The ways to ask, in the order in which to try them; a URL with a path of its own is taken as it is."""
    path = urlsplit(url).path
    bases = {"": ("/v1/rerank", "/rerank"), "/v1": ("/rerank",)}.get(path, ("",))
    forms = [Form(below(url, base), "documents") for base in bases] + [Form(below(url, bases[-1]), "texts")]
    return tuple(form for form in forms if shape in ("", form.shape))


def _asks_for(form: Form, tried: Form, error: RefusedError) -> bool:
    if form.url != tried.url:
        return error.status in MISSING_PATH
    return error.status in WRONG_BODY and form.shape in error.detail


def _body(shape: str, model: str, query: str, texts: list[str]) -> dict[str, object]:
    named: dict[str, object] = {"model": model} if model else {}
    if shape == "texts":
        return {**named, "query": query, "texts": texts, "truncate": True, "raw_scores": True}
    return {**named, "query": query, "documents": texts, "top_n": len(texts)}
