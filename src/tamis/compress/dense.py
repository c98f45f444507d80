"""What an embedder adds to relevance: candidates and items that mean what the query means in other words."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from tamis.errors import BackendError, EmbedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.compress.matching import Match
    from tamis.compress.values import CompressItem
    from tamis.ports import Embedder

# Embedding is the slow part, so only the most relevant candidates by words, and the first of each item, are embedded.
MAX_EMBEDDED = 96
# Items that are embedded as a whole: those are a search's hits, and more would take longer than the candidates do.
MAX_ITEMS = 32
# Characters of an item that are embedded, about what the bundled model reads of a text at once.
ITEM_CHARS = 2_000
# Weight of the similarity beside the relevance by words, both scaled to 1 at their best.
DENSE = 0.25


class Meaning(NamedTuple):
    """The candidates' relevance by words and by meaning, the items' cosines, and a warning if something failed."""

    relevances: list[list[float]]
    similarities: list[float | None]
    warning: str | None = None


def with_similarity(
    relevances: Sequence[Sequence[float]],
    matches: Sequence[Sequence[Match]],
    items: Sequence[CompressItem],
    query: str,
    embedder: Embedder,
) -> Meaning:
    """What the embedder says of candidates and items; if it failed, relevance is by words alone.

    Items that all come with their similarity keep it. One item needs none: there is no other to choose it over.
    """
    rows = [list(row) for row in relevances]
    known = [item.similarity for item in items]
    chosen = _chosen(rows)
    whole: list[int] = []
    if len(items) > 1 and None in known:
        whole = [place for place, item in enumerate(items) if item.text.strip()][:MAX_ITEMS]
    texts = [_in_context(matches[item][place]) for item, place in chosen]
    texts += [_as_a_whole(items[place]) for place in whole]
    try:
        target = embedder.embed_query(query)
        embedded = embedder.embed_passages(texts)
    except (BackendError, EmbedError) as error:
        return Meaning(rows, known, f"relevance is by words alone: {error.message}")
    cosines = [
        float(each) if index not in embedded.failures and isfinite(each) else None
        for index, each in enumerate(embedded.vectors @ target)
    ]
    of_parts, of_items = cosines[: len(chosen)], cosines[len(chosen) :]
    for place, cosine in zip(whole, of_items, strict=True):
        known[place] = known[place] if cosine is None else cosine
    best = max((max(row) for row in rows if row), default=0.0) or 1.0
    rows = [[score / best for score in row] for row in rows]
    usable = [each for each in of_parts if each is not None]
    if not usable:
        return Meaning(rows, known, "relevance within a source is by words alone: no part could be embedded")
    low, high = min(usable), max(usable)
    for (item, place), cosine in zip(chosen, of_parts, strict=True):
        if cosine is not None and high > low:
            rows[item][place] += DENSE * (cosine - low) / (high - low)
    return Meaning(rows, known)


def _chosen(rows: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Item and place of the candidates to embed."""
    places = [(item, place) for item, row in enumerate(rows) for place in range(len(row))]
    places.sort(key=lambda at: (at[1] > 0, -rows[at[0]][at[1]], at))
    firsts = sum(1 for row in rows if row)
    share = places[: min(firsts, MAX_EMBEDDED // 4)]
    rest = sorted(places[len(share) :], key=lambda at: (-rows[at[0]][at[1]], at))
    return sorted(share + rest[: MAX_EMBEDDED - len(share)])


def _in_context(match: Match) -> str:
    candidate = match.candidate
    return " › ".join((*candidate.heading_path[-1:], candidate.text))


def _as_a_whole(item: CompressItem) -> str:
    above = dict.fromkeys(each for each in (item.title, *item.heading_path[-1:]) if each)
    return " › ".join((*above, item.text[:ITEM_CHARS]))
