"""Why a passage was found, by rule: which words of the query it has where, and its places in the rankings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tamis.types import Hit

BY_RULE = "by rule: "
"""How every explanation that no model made begins."""

SHORTEST = 3  # characters; shorter words are mostly articles and prepositions
SHOWN_WORDS = 6
_WORD = re.compile(r"\w+")


def explanation(hit: Hit, query: str) -> str:
    """One sentence, beginning with ``BY_RULE``."""
    parts = [_words(hit, query), *_places(hit)]
    told = "; ".join(filter(None, parts))
    return BY_RULE + (told or "it is near the query in meaning and shares no word with it")


def _words(hit: Hit, query: str) -> str:
    wanted = list(dict.fromkeys(word for word in _split(query) if len(word) >= SHORTEST))
    fields = {
        "the title": hit.title,
        "the headings": " ".join(hit.heading_path),
        "the path": hit.path,
        "the text": hit.text,
    }
    found: list[str] = []
    for name, text in fields.items():
        there = set(_split(text.replace("_", " ")))
        shared = [word for word in wanted if word in there][:SHOWN_WORDS]
        if shared:
            found.append(f"{', '.join(shared)} in {name}")
    return "; ".join(found)


def _places(hit: Hit) -> list[str]:
    names = {"lexical_rank": "by words", "dense_rank": "by meaning"}
    places = [
        f"number {hit.score_breakdown[key]:.0f} {how}"
        for key, how in names.items()
        if key in hit.score_breakdown
    ]
    if hit.rerank_score is not None and hit.original_rank is not None:
        places.append(f"number {hit.original_rank} before reranking")
    return places


def _split(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
