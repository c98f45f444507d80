"""Refine: rerank, then compress."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from tamis.compress.compressing import DEFAULT_MAX_TOKENS, compress
from tamis.compress.items import TEXT_KEYS, as_items, text_key
from tamis.compress.tokenizers import counter as find_counter
from tamis.types import Hit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tamis.compress.tokenizers import TokenCounter
    from tamis.compress.values import Compressed, Form, Level, Order
    from tamis.ports import Embedder

Memory = TypeVar("Memory", bound="Mapping[str, Any] | Hit")

DEFAULT_TOP_K = 5


@dataclass(frozen=True, slots=True)
class RefineStats:
    """What refining did.

    ``input`` memories were given, ``reranked`` of them went into compression, ``output`` came out: ``truncated`` of these
    in part; ``dropped`` did not fit at all. ``tokens_before`` counts all that were given, ``tokens_after`` the final
    text; ``ratio`` is after / before. ``elapsed_ms`` is wall-clock time.
    """

    input: int
    reranked: int
    output: int
    tokens_before: int
    tokens_after: int
    ratio: float
    truncated: int
    dropped: int
    elapsed_ms: int
    tokenizer: str


@dataclass(frozen=True, slots=True)
class Refined(Generic[Memory]):
    """The memories that are left, each as it was given but with the text that is kept of it; and all of it as one text."""

    memories: tuple[Memory, ...]
    stats: RefineStats
    compressed: Compressed


def refine(
    query: str,
    memories: Sequence[Memory],
    rerank: Callable[[Sequence[Memory], str, int], Sequence[Memory]],
    *,
    top_k: int = DEFAULT_TOP_K,
    max_tokens: int = DEFAULT_MAX_TOKENS,
    level: Level | None = None,
    tokenizer: str | TokenCounter = "bundled",
    order: Order = "rank",
    form: Form = "text",
    embedder: Embedder | None = None,
) -> Refined[Memory]:
    """Rerank memories (or hits), keep the best ``top_k``, and compress those to ``max_tokens``.

    Args:
        query: What the memories are needed for.
        memories: Mappings with a text, or hits.
        rerank: Gives the best so many memories for a query, best first (``tamis.rerank.rerank_memories`` does).
        top_k: How many memories go into compression.

    The other arguments are those of ``compress``.

    Raises:
        InputError: A memory has no text, or an argument is off.
        BudgetError: Nothing useful fits in the budget.
    """
    started = time.perf_counter()
    counter = find_counter(tokenizer)
    before = sum(counter.counts([item.text for item in as_items(memories)]))
    best = rerank(memories, query, top_k)
    compressed = compress(
        best,
        max_tokens,
        query=query,
        level=level,
        tokenizer=counter,
        order=order,
        form=form,
        embedder=embedder,
    )
    return Refined(
        memories=tuple(_with_text(best[part.source], part.text) for part in compressed.texts),
        stats=RefineStats(
            input=len(memories),
            reranked=len(best),
            output=len(compressed.texts),
            tokens_before=before,
            tokens_after=compressed.tokens_after,
            ratio=compressed.tokens_after / before if before else 1.0,
            truncated=len(compressed.truncated),
            dropped=len(compressed.dropped),
            elapsed_ms=round((time.perf_counter() - started) * 1000),
            tokenizer=counter.name,
        ),
        compressed=compressed,
    )


def _with_text(memory: Memory, text: str) -> Memory:
    if isinstance(memory, Hit):
        return replace(memory, text=text)
    return cast("Memory", {**memory, text_key(memory) or TEXT_KEYS[0]: text})
