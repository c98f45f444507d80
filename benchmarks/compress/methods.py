"""Ways to fit a context into a budget: tamis and the baselines. Each gives the spans that it keeps."""

from __future__ import annotations

import hashlib
import math
import random
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from tamis.compress import CompressItem, compress, counter
from tamis.compress.blocks import blocks  # the baselines choose among the same sentences
from tamis.compress.lines import lines_of
from tamis.compress.terms import query_terms, terms
from tamis.compress.units import Divider
from tamis.errors import BudgetError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from benchmarks.compress.cases import Case
    from tamis.ports import Embedder

TOKENS = counter("bundled")


class Sentence(NamedTuple):
    passage: int
    start: int
    end: int
    tokens: int
    terms: tuple[str, ...]


class Span(NamedTuple):
    passage: int
    start: int
    end: int


Method = "Callable[[Case, int], Sequence[Span]]"


def tokens_of(case: Case) -> int:
    return sum(map(_count, case.texts))


def head(case: Case, budget: int) -> list[Span]:
    """The context from its start, best passage first, until the budget is spent."""
    kept: list[Span] = []
    for sentence in _sentences(case):
        budget -= sentence.tokens
        if budget < 0:
            break
        kept.append(Span(*sentence[:3]))
    return kept


def random_sentences(case: Case, budget: int) -> list[Span]:
    sentences = _sentences(case)
    seed = int.from_bytes(hashlib.sha256(case.query.encode()).digest()[:8])
    random.Random(seed).shuffle(sentences)
    return _greedy(sentences, budget)


def bm25_sentences(case: Case, budget: int) -> list[Span]:
    """The sentences that score best by BM25 (k1 1.2, b 0.75) among the context's own."""
    sentences = _sentences(case)
    wanted = query_terms(case.query)
    mean = sum(len(each.terms) for each in sentences) / max(1, len(sentences))
    holding = Counter(term for each in sentences for term in set(each.terms))
    idf = {
        term: math.log(1 + (len(sentences) - holding[term] + 0.5) / (holding[term] + 0.5)) for term in wanted
    }

    def score(sentence: Sentence) -> float:
        norm = 1.2 * (0.25 + 0.75 * len(sentence.terms) / mean)
        counts = ((term, sentence.terms.count(term)) for term in wanted)
        return sum(idf[term] * count * 2.2 / (count + norm) for term, count in counts)

    return _greedy(sorted(sentences, key=score, reverse=True), budget)


def tamis(
    *, cited: bool = False, hits: bool = False, embedder: Embedder | None = None
) -> Callable[[Case, int], list[Span]]:
    """``compress`` at level extract: the budget holds the final text with its marks.

    ``cited``: with each passage's title given as its label, so that citations and the list of sources count as well.
    ``hits``: with the passages' cosines, as the hits of a search have them.
    """

    def method(case: Case, budget: int) -> list[Span]:
        cosines = case.cosines if hits else [None] * len(case.texts)
        items = [
            CompressItem(text, title=title if cited else "", similarity=cosine)
            for text, title, cosine in zip(case.texts, case.titles, cosines, strict=True)
        ]
        try:
            kept = compress(items, budget, query=case.query, embedder=embedder)
        except BudgetError:
            return []
        return [Span(unit.source, *unit.span) for unit in kept.units]

    return method


def _greedy(sentences: Sequence[Sentence], budget: int) -> list[Span]:
    kept: list[Span] = []
    for sentence in sentences:
        if sentence.tokens <= budget:
            budget -= sentence.tokens
            kept.append(Span(*sentence[:3]))
    return kept


def _sentences(case: Case) -> list[Sentence]:
    return [
        Sentence(passage, *sentence) for passage, text in enumerate(case.texts) for sentence in divided(text)
    ]


@lru_cache(maxsize=100_000)
def divided(text: str) -> tuple[tuple[int, int, int, tuple[str, ...]], ...]:
    """A text's sentences: start, end, tokens, terms."""
    divider = Divider(0, [])
    parts = [part for block in blocks(lines_of(text), "markdown") for part in divider.of(block)]
    return tuple(
        (part.span.start, part.span.end, count, tuple(terms(part.text)))
        for part, count in zip(parts, TOKENS.counts([part.text for part in parts]), strict=True)
    )


@lru_cache(maxsize=100_000)
def _count(text: str) -> int:
    return TOKENS.count(text)
