"""Reranked memories, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tamis.render.cells import cut, lines
from tamis.render.highlight import highlighted
from tamis.render.printable import one_line
from tamis.render.quantities import count, duration
from tamis.render.style import BOLD, FAINT
from tamis.render.table import pairs
from tamis.search.preview import preview

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tamis.library.ranked import RankedMemories
    from tamis.library.reranking import Standing
    from tamis.render.style import Style

BRIEF, VERBOSE = 160, 500
"""Characters of a memory that are shown, around what matches."""
DATE = len("2026-01-31")


def memories_text(ranked: RankedMemories, style: Style, *, verbose: bool = False, stats: bool = False) -> str:
    """Each memory: rank, title, score; where it is from; the part of it that matches.

    Args:
        verbose: Show more of each, its place before, and its tags.
        stats: End with what was done.
    """
    margin = len(str(len(ranked.memories))) + 2
    blocks = ["\n".join(_memory(memory, ranked.query, style, margin, verbose)) for memory in ranked.memories]
    if stats:
        blocks.append(_stats(ranked, style))
    return ("\n\n" if verbose or stats else "\n").join(blocks)


def standing_text(standing: Standing, style: Style) -> str:
    """What there is to rerank with."""
    rows = [
        ("corpora", f"{standing.corpora:,}, with {count(standing.documents, 'document')}"),
        ("rerankers", f"{standing.rerankers:,} can be used"),
        ("charged", f"{standing.charged_cents:,.4f} cents in {count(standing.charged_calls, 'call')}"),
    ]
    return pairs(rows, style)


def _memory(memory: Mapping[str, Any], query: str, style: Style, margin: int, verbose: bool) -> Iterator[str]:
    room = max(20, style.width - margin)
    content = str(memory["content"])
    name = style.path(str(memory["path"])) if memory.get("path") else one_line(str(memory.get("id", "")))
    title = one_line(str(memory.get("title") or "")) or cut(one_line(content), room - 10)
    score = memory.get("rerank_score")
    shown = "" if score is None else f"  {style.paint(f'{score:.4g}', FAINT)}"
    yield f"{memory['rank']}.".ljust(margin) + style.paint(cut(title, room - 10), BOLD) + shown
    details = [one_line(str(memory.get("date") or ""))[:DATE]]
    if verbose:
        details += [f"was {memory['original_rank']}", _tags(memory.get("tags"))]
    if where := " · ".join(filter(None, [*details, name])):
        yield " " * margin + style.paint(cut(where, room), FAINT)
    chars = VERBOSE if verbose else BRIEF
    for line in lines(one_line(preview(content, query, chars)), room - 2):
        yield " " * margin + style.paint("│ ", FAINT) + highlighted(line, query, style)


def _tags(tags: object) -> str:
    if isinstance(tags, (list, tuple)):
        return one_line(" ".join(f"#{tag}" for tag in tags))  # pyright: ignore[reportUnknownVariableType]
    return one_line(str(tags)) if tags else ""


def _stats(ranked: RankedMemories, style: Style) -> str:
    stats = ranked.stats
    best = "" if stats.top_score is None else f"{stats.top_score:.4g}"
    rows = [
        ("memories", f"{stats.output:,} of {stats.input:,}"),
        ("reranker", ranked.reranker),
        ("terms", ", ".join(map(one_line, stats.terms))),
        ("best score", best),
        ("cost", f"{ranked.cost_cents:.4g} cents" if ranked.cost_cents else ""),
        ("took", duration(stats.elapsed_ms)),
    ]
    return pairs(rows, style)
