"""Keyword scores for memories: plain documents with a title, a content and perhaps a date.

The weights are those of the memory tools that this scoring comes from: a title that contains the whole query 10, each
occurrence of a query word 1 in the content and 2 in the title, up to 0.5 for being recent.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time
from typing import cast

from tamis.errors import RerankInputError
from tamis.rerank.heuristics.term_match import fold

TITLE_MATCH = 10.0
IN_TITLE = 2.0
IN_CONTENT = 1.0
RECENT = 0.5
SHORTEST_TERM = 3
PUNCTUATION = ".,;:!?\"'()[]{}<>«»„“”‘’…、。，！？；：「」（）"
"""Stripped from the ends of a query's words; marks that belong to words, as in ``C++`` and ``C#``, are not here."""

MILLISECONDS_PER_DAY = 86_400_000
DAYS_TO_DECAY = 365.0
LATEST_SECONDS = 100_000_000_000
"""A number above this is a date in milliseconds: as seconds it would lie 3,000 years ahead."""

_SHAPE = "each one is {content, id?, title?, date?, tags?}"


def query_terms(query: str) -> list[str]:
    """The distinct words of a query that are longer than two characters, folded, in their order."""
    words = (word.strip(PUNCTUATION) for word in fold(query).split())
    return list(dict.fromkeys(word for word in words if len(word) >= SHORTEST_TERM))


def keyword_score(
    query: str, *, title: str, content: str, modified_ms: float | None = None, now_ms: float
) -> float:
    """How well a memory fits the query; 0 and up.

    The boost for being recent is ``RECENT`` for one written now or later and falls evenly to 0 at the age of a year.
    """
    folded_title, folded_content, whole = fold(title), fold(content), fold(query).strip()
    score = TITLE_MATCH if whole and whole in folded_title else 0.0
    for term in query_terms(query):
        score += IN_CONTENT * folded_content.count(term) + IN_TITLE * folded_title.count(term)
    if modified_ms is not None:
        age_days = max(0.0, now_ms - modified_ms) / MILLISECONDS_PER_DAY
        score += RECENT * max(0.0, 1.0 - age_days / DAYS_TO_DECAY)
    return score


def rerank_memories(
    memories: Sequence[Mapping[str, object]],
    query: str,
    top_k: int | None = 5,
    *,
    now: datetime | None = None,
) -> list[dict[str, object]]:
    """The ``top_k`` memories that fit ``query`` best, best first; equal ones keep their order.

    Args:
        memories: Mappings with ``content`` and, where known, ``title`` and ``date`` (ISO 8601, a ``date`` or
            ``datetime``, or seconds or milliseconds since the epoch); everything in them is passed on.
        query: Words; matched as parts of words, in any case.
        top_k: How many at most; ``None`` for all, none when it is not above 0.
        now: What ages are counted from; naive means UTC. The clock's time when left out.

    Returns:
        Copies with ``original_rank``, ``rerank_score`` and ``rank`` added; ranks from 1.

    Raises:
        RerankInputError: The memories are no list of mappings, one has no ``content``, or a title or content that is not
            text, the query is no text or ``top_k`` no number.
    """
    check_memories(memories)
    if not isinstance(query, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise RerankInputError("the query must be a text")
    if top_k is not None and not isinstance(top_k, int):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise RerankInputError("top_k must be a whole number, or None for all")
    now_ms = _milliseconds(now or datetime.now(UTC))
    scores = [_score(index, memory, query, now_ms) for index, memory in enumerate(memories)]
    order = sorted(range(len(scores)), key=lambda index: -scores[index])
    kept = order if top_k is None else order[: max(0, top_k)]
    return [
        {**memories[index], "original_rank": index + 1, "rerank_score": scores[index], "rank": rank}
        for rank, index in enumerate(kept, 1)
    ]


def date_ms(value: object) -> float | None:
    """A memory's date in milliseconds since the epoch; ``None`` when there is none or it can't be read."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    if isinstance(value, datetime):
        return _milliseconds(value)
    if isinstance(value, date):
        return _milliseconds(datetime.combine(value, time.min, UTC))
    number = as_float(value)
    if number is None or not math.isfinite(number):
        return None
    return number if abs(number) > LATEST_SECONDS else number * 1000.0


def as_float(value: object) -> float | None:
    """A number as a float, infinite where it is beyond one; ``None`` for what is no number."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return None
    try:
        return float(value)
    except OverflowError:
        return math.inf


def check_memories(memories: object, kinds: type | tuple[type, ...] = Mapping) -> None:
    """Refuse what is no list of mappings, or of other ``kinds``.

    Raises:
        RerankInputError: Names the first that is none.
    """
    if not isinstance(memories, Sequence) or isinstance(memories, str):
        raise RerankInputError(f"memories are {type(memories).__name__}", hint=f"pass a list; {_SHAPE}")
    for index, memory in enumerate(cast("Sequence[object]", memories)):
        if not isinstance(memory, kinds):
            raise RerankInputError(f"memories[{index}] is {memory!r}", hint=_SHAPE)


def memory_texts(index: int, memory: Mapping[str, object]) -> tuple[str, str]:
    """A memory's title, empty when it has none, and its content.

    Raises:
        RerankInputError: One of them is not text, or there is no content.
    """
    title, content = memory.get("title"), memory.get("content")
    if not isinstance(content, str):
        raise RerankInputError(f"memories[{index}] has no content", hint=_SHAPE)
    if title is not None and not isinstance(title, str):
        raise RerankInputError(f"memories[{index}].title must be a text")
    return title or "", content


def _score(index: int, memory: Mapping[str, object], query: str, now_ms: float) -> float:
    title, content = memory_texts(index, memory)
    return keyword_score(
        query, title=title, content=content, modified_ms=date_ms(memory.get("date")), now_ms=now_ms
    )


def _milliseconds(moment: datetime) -> float:
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return aware.timestamp() * 1000.0
