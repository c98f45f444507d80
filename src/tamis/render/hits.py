"""Hits for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.render.cells import cut, lines, width
from tamis.render.highlight import highlighted
from tamis.render.printable import one_line, printable
from tamis.render.style import BOLD, FAINT, YELLOW

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tamis.render.style import Style
    from tamis.types import Hit, SearchResult

SEPARATOR = " › "
CODE_LINES = 6  # of a preview of code


def hits_text(
    result: SearchResult, query: str, style: Style, *, whole: bool = False, explain: bool = False
) -> str:
    """Each hit: rank, place and score; title and headings; its preview with the words of the query marked.

    Args:
        whole: Show whole passages, as they are, in place of previews.
        explain: Show where each score came from.
    """
    several = len({hit.corpus for hit in result.hits}) > 1
    margin = len(str(len(result.hits))) + 2
    blocks = [
        "\n".join(_hit(hit, query, style, " " * margin, several, whole, explain)) for hit in result.hits
    ]
    if explain and result.blend:
        blocks.append(style.paint(_blended(result.blend), FAINT))
    return "\n\n".join(blocks)


def _blended(share: float) -> str:
    return f"reranked: {share:g} of the first stage's score and {1 - share:.2g} of the reranker's, each scaled to 1 at its best"


def location(hit: Hit, style: Style) -> str:
    """``path:first-last``, as ``tamis get`` takes it back."""
    first, last = hit.lines
    return f"{style.path(hit.path)}:{first}" + (f"-{last}" if last != first else "")


def _hit(
    hit: Hit, query: str, style: Style, margin: str, several: bool, whole: bool, explain: bool
) -> Iterator[str]:
    rank = f"{hit.rank}.".ljust(len(margin))
    corpus = style.paint(f"[{hit.corpus}] ", FAINT) if several else ""
    changed = style.paint("  changed since", YELLOW) if hit.stale else ""
    score = (
        f"{hit.score:.4g}"
        if hit.rerank_score is None
        else f"{hit.score:.4g}, reranked {hit.rerank_score:.4g}"
    )
    yield f"{rank}{corpus}{style.paint(location(hit, style), BOLD)}  {style.paint(score, FAINT)}{changed}"
    room = max(20, style.width - len(margin))
    if where := _headings(hit, room):
        yield margin + highlighted(where, query, style)
    for line in _passage(hit, room, whole):
        yield (margin + style.paint("│ ", FAINT) + highlighted(line, query, style)).rstrip()
    if hit.why_matched:
        yield from (
            margin + style.paint(line, FAINT) for line in lines(f"why: {one_line(hit.why_matched)}", room)
        )
    if explain:
        yield from (margin + style.paint(line, FAINT) for line in lines(_origin(hit), room))


def _headings(hit: Hit, room: int) -> str:
    """The title and the headings above the passage, each once; where room is short the first and the last ones.

    A title that is the file's name has been said.
    """
    names = [one_line(name) for name in (hit.title, *hit.heading_path)]
    shown = [name for index, name in enumerate(names) if name and name not in names[:index]]
    if shown and hit.path.endswith(f"/{shown[0]}"):
        shown = shown[1:]
    first, rest = shown[:1], shown[1:]
    while len(rest) > 1 and width(SEPARATOR.join(shown)) > room:
        rest = rest[1:]
        shown = [*first, "…", *rest]
    return cut(SEPARATOR.join(shown), room)


def _passage(hit: Hit, room: int, whole: bool) -> Iterator[str]:
    """The preview, or the whole passage: code and whole passages line by line, prose flowing."""
    shown = hit.text if whole else hit.preview
    if not shown:
        return
    inner = room - 2
    if whole or hit.chunk_type == "code":
        found = [line.rstrip() for line in printable(shown).expandtabs(4).split("\n")]
        if not whole:
            found = [cut(line, inner) for line in found if line][:CODE_LINES]
        yield from found
        return
    before = "" if hit.text.startswith(shown) else "… "
    after = "" if hit.text.endswith(shown) else " …"
    yield from lines(f"{before}{one_line(shown)}{after}", inner)


def _origin(hit: Hit) -> str:
    """The score's parts, each whole when lines are broken."""
    parts = (f"{name}\u00a0{value:.4g}" for name, value in hit.score_breakdown.items())
    before = [] if hit.original_rank is None else [f"was\u00a0{hit.original_rank}."]
    return "score: " + " · ".join([*parts, *before])
