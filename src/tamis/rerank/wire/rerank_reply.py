"""Reading the replies of ``/rerank`` servers, which differ in all but the idea.

Seen: ``results`` (Cohere, Jina, vLLM, llama.cpp, LocalAI, Infinity), ``data`` (Voyage), a bare list (Text Embeddings
Inference); ``relevance_score`` or ``score``; sorted or not; cut to ``top_n`` or not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from tamis.errors import RerankError

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class RerankReply:
    """Scores by the index of the document in the request; what the server says was used, where it says so."""

    scores: Mapping[int, float]
    total_tokens: float | None = None
    search_units: float | None = None


def read_reply(reply: object, count: int) -> RerankReply:
    """The scores in ``reply`` to a request with ``count`` documents.

    A document that is left out has no score; of several for one document the highest counts.

    Raises:
        RerankError: There are no results, one names a document that wasn't sent, or a score is not a finite number.
    """
    results = _results(reply)
    scores: dict[int, float] = {}
    for result in results:
        index, score = _one(result, count)
        scores[index] = max(score, scores.get(index, -math.inf))
    if not scores and count:
        raise RerankError("the reply has no results")
    return RerankReply(scores, _amount(reply, "usage", "total_tokens"), _search_units(reply))


def _results(reply: object) -> list[object]:
    found = reply
    if isinstance(reply, dict):
        table = cast("dict[str, object]", reply)
        found = next((table[name] for name in ("results", "data") if name in table), None)
    if not isinstance(found, list):
        raise RerankError("the reply is not a rerank reply: it has no list of results")
    return cast("list[object]", found)


def _one(result: object, count: int) -> tuple[int, float]:
    table = cast("dict[str, object]", result) if isinstance(result, dict) else {}
    index = table.get("index")
    if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < count:
        raise RerankError(f"the reply names document {index!r} of {count}")
    score = table.get("relevance_score", table.get("score"))
    if not isinstance(score, (int, float)) or isinstance(score, bool) or not math.isfinite(score):
        raise RerankError(f"the reply scores document {index} with {score!r}")
    return index, float(score)


def _search_units(reply: object) -> float | None:
    meta = cast("dict[str, object]", reply).get("meta") if isinstance(reply, dict) else None
    return _amount(meta, "billed_units", "search_units")


def _amount(reply: object, group: str, name: str) -> float | None:
    table = cast("dict[str, object]", reply).get(group) if isinstance(reply, dict) else None
    value = cast("dict[str, object]", table).get(name) if isinstance(table, dict) else None
    if (
        not isinstance(value, (int, float))
        or isinstance(value, bool)
        or not math.isfinite(value)
        or value < 0
    ):
        return None
    return float(value)
