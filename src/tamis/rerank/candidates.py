"""Turning hits and plain documents into candidates."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from tamis.rerank.memories import check_memories, date_ms, memory_texts
from tamis.types import Candidate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tamis.types import Hit, Vectors


def of_hits(hits: Sequence[Hit], vectors: Mapping[int, Vectors] | None = None) -> list[Candidate]:
    """One candidate for each hit, in order; ``vectors`` by position in ``hits``.

    A hit's id may occur in two corpora; the candidates' ids are made unique.
    """
    ids = unique([hit.id for hit in hits])
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
        )
        for index, hit in enumerate(hits)
    ]


def of_memories(memories: Sequence[Mapping[str, object]]) -> list[Candidate]:
    """One candidate for each ``{content, id?, title?, date?, path?, score?}``, in order.

    Raises:
        RerankInputError: They are no list of mappings, or one has no content, or a title that is not text.
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
    score = memory.get("score")
    headings = memory.get("heading_path")
    return Candidate(
        id=name,
        text=content,
        title=title,
        path=str(memory.get("path") or ""),
        heading_path=tuple(map(str, cast("list[object]", headings)))
        if isinstance(headings, (list, tuple))
        else (),
        score=float(score) if isinstance(score, (int, float)) and not isinstance(score, bool) else 0.0,
        rank=index + 1,
        modified_ms=date_ms(memory.get("date")),
    )
