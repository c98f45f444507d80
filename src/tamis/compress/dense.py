"""What an embedder adds to relevance: candidates that mean what the query means in other words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.errors import BackendError, EmbedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tamis.compress.matching import Match
    from tamis.ports import Embedder

# Embedding is the slow part, so only the most relevant candidates by words, and the first of each item, are embedded.
MAX_EMBEDDED = 96
# Weight of the similarity beside the relevance by words, both scaled to 1 at their best.
DENSE = 0.25


def with_similarity(
    relevances: Sequence[Sequence[float]], matches: Sequence[Sequence[Match]], query: str, embedder: Embedder
) -> tuple[list[list[float]], str | None]:
    """Relevance by words and by meaning, and a warning if the embedder failed: then it is by words alone."""
    rows = [list(row) for row in relevances]
    chosen = _chosen(rows)
    try:
        target = embedder.embed_query(query)
        embedded = embedder.embed_passages([_in_context(matches[item][place]) for item, place in chosen])
    except (BackendError, EmbedError) as error:
        return rows, f"relevance is by words alone: {error.message}"
    similarities = [float(each) for each in embedded.vectors @ target]
    usable = [each for index, each in enumerate(similarities) if index not in embedded.failures]
    best = max((max(row) for row in rows if row), default=0.0) or 1.0
    rows = [[score / best for score in row] for row in rows]
    if not usable:
        return rows, "relevance is by words alone: no candidate could be embedded"
    low, high = min(usable), max(usable)
    for index, (item, place) in enumerate(chosen):
        if index not in embedded.failures and high > low:
            rows[item][place] += DENSE * (similarities[index] - low) / (high - low)
    return rows, None


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
