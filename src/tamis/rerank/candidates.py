"""Turning hits and plain documents into candidates."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from tamis.errors import RerankInputError
from tamis.rerank.heuristics.modified import modified_of
from tamis.rerank.memories import as_float, check_memories, date_ms, memory_texts
from tamis.types import Candidate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tamis.types import Hit, Vectors


def of_hits(
    hits: Sequence[Hit], vectors: Mapping[int, Vectors] | None = None, *, dated: bool = False
) -> list[Candidate]:
    """One candidate for each hit, in order; ``vectors`` by position in ``hits``, ``dated``: with the files' dates.

    A hit's id may occur in two corpora; the candidates' ids are made unique.
    """
    ids = unique([hit.id for hit in hits])
    times = modified_of(hit.path for hit in hits)[0] if dated else {}
    return [
        Candidate(
            id=ids[index],
            text=hit.text,
            title=hit.title,
            path=hit.path,
            heading_path=hit.heading_path,
            score=hit.score,
            rank=index + 1,
            vector=None if vectors is None else vectors.get(index),
            modified_ms=times.get(hit.path) or None,
        )
        for index, hit in enumerate(hits)
    ]


def of_memories(memories: Sequence[Mapping[str, object]]) -> list[Candidate]:
    """One candidate for each ``{content, id?, title?, date?, path?, score?}``, in order.

    Raises:
        RerankInputError: They are no list of mappings, or one has no content, a title that is not text, or a score that is
            not finite.
    """
    check_memories(memories)
    ids = unique([str(memory.get("id", index)) for index, memory in enumerate(memories)])
    return [_of_memory(index, memory, ids[index]) for index, memory in enumerate(memories)]


def unique(ids: Sequence[str]) -> list[str]:
    """The ids, each one that came before made new by its position."""
    seen: set[str] = set()
    fresh: list[str] = []
    for index, one in enumerate(ids):
        name = one
        while name in seen:
            name = f"{name}#{index}"
        seen.add(name)
        fresh.append(name)
    return fresh


def _of_memory(index: int, memory: Mapping[str, object], name: str) -> Candidate:
    title, content = memory_texts(index, memory)
    headings = memory.get("heading_path")
    return Candidate(
        id=name,
        text=content,
        title=title,
        path=str(memory.get("path") or ""),
        heading_path=tuple(map(str, cast("list[object]", headings)))
        if isinstance(headings, (list, tuple))
        else (),
        score=_score(index, memory.get("score")),
        rank=index + 1,
        modified_ms=date_ms(memory.get("date")),
    )


def _score(index: int, value: object) -> float:
    """A score that came with a memory; 0 for what is no number."""
    score = as_float(value) or 0.0
    if not math.isfinite(score):
        raise RerankInputError(f"memories[{index}].score must be a finite number")
    return score
