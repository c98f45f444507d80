"""Sorting hits from anywhere by one of three rules, with no corpus and no model."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast, get_args

from tamis.errors import RerankInputError
from tamis.rerank.heuristics.modified import modified_ms, modified_of
from tamis.rerank.heuristics.path_depth import path_depth
from tamis.rerank.heuristics.term_match import matched_terms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tamis.rerank.heuristics.modified import Stat

RerankBy = Literal["recency", "path_specificity", "lexical_boost"]
RERANK_BY: tuple[RerankBy, ...] = get_args(RerankBy)


@dataclass(frozen=True, slots=True)
class Reordered:
    """The hits in their new order, each with ``original_rank``, ``rerank_score`` and ``rank`` added; ranks from 1."""

    hits: tuple[dict[str, object], ...]
    warnings: tuple[str, ...] = ()


def rerank_by(
    hits: Sequence[Mapping[str, object]],
    mode: str,
    lexical_terms: Sequence[str] | None = None,
    *,
    stat: Stat = modified_ms,
    roots: Sequence[str] | None = None,
) -> Reordered:
    """Sort ``hits`` by ``mode``, best first; equal ones keep the order in which they came.

    - ``recency``: modification time of the file in milliseconds, 0 for one that is missing;
    - ``path_specificity``: depth of the path in segments;
    - ``lexical_boost``: the hit's score + the number of ``lexical_terms`` that stand, as words and in any case, in its
      preview, heading path or title.

    Args:
        hits: Mappings with ``id``, ``path``, ``score`` and ``chunk_index``; ``preview``, ``heading_path`` and ``title``
            are used where they are there, and everything in them is passed on.
        mode: One of ``RERANK_BY``.
        lexical_terms: Asked for by ``lexical_boost``, ignored by the others.
        stat: Gives a path's modification time in milliseconds, ``None`` for a missing file; called once a path.
        roots: Folders whose files may be asked about; a path outside counts as missing, with a warning.

    Raises:
        RerankInputError: There are no hits, a hit lacks a field or has it in the wrong type, the mode is unknown, or
            ``lexical_boost`` has no terms.
    """
    _check(hits, mode, lexical_terms)
    warnings: tuple[str, ...] = ()
    if mode == "recency":
        paths = [str(hit["path"]) for hit in hits]
        times, outside = modified_of(paths, stat=stat, roots=roots)
        scores = [times[path] for path in paths]
        warnings = outside_warnings(outside)
    elif mode == "path_specificity":
        scores = [float(path_depth(str(hit["path"]))) for hit in hits]
    else:
        scores = [_number(hit) + matched_terms(lexical_terms or (), _texts(hit)) for hit in hits]
    order = sorted(range(len(hits)), key=lambda index: -scores[index])
    return Reordered(
        tuple(
            {**hits[index], "original_rank": index + 1, "rerank_score": scores[index], "rank": rank}
            for rank, index in enumerate(order, 1)
        ),
        warnings,
    )


def outside_warnings(outside: Sequence[str]) -> tuple[str, ...]:
    """One warning about the paths that were not looked at; none when there are none."""
    if not outside:
        return ()
    named = ", ".join(outside[:3]) + (", …" if len(outside) > 3 else "")
    return (f"{len(outside)} path(s) outside the allowed roots count as missing: {named}",)


def _check(hits: Sequence[Mapping[str, object]], mode: str, terms: Sequence[str] | None) -> None:
    if mode not in RERANK_BY:
        raise RerankInputError(f"unknown rerank_by {mode!r}", hint=f"use one of {', '.join(RERANK_BY)}")
    if not hits:
        raise RerankInputError("there are no hits to rerank", hint="pass the hits of a search")
    if mode == "lexical_boost" and not terms:
        raise RerankInputError(
            "lexical_boost needs lexical_terms", hint="pass the words that should lift a hit"
        )
    if not _are_texts(list(terms or ())) or not all(terms or ()):
        raise RerankInputError("lexical_terms must be texts that are not empty")
    for index, hit in enumerate(hits):
        wrong = _wrong_field(hit)
        if wrong:
            raise RerankInputError(f"hits[{index}].{wrong}", hint="pass hits as a search returned them")


def _wrong_field(hit: Mapping[str, object]) -> str | None:
    score, index = hit.get("score"), hit.get("chunk_index")
    checks = {
        "id must be a text": isinstance(hit.get("id"), str) and hit.get("id"),
        "path must be a text": isinstance(hit.get("path"), str) and hit.get("path"),
        "score must be a finite number": _is_number(score) and math.isfinite(cast("float", score)),
        "chunk_index must be a whole number": _is_number(index) and cast("float", index) % 1 == 0,
        "preview must be a text": isinstance(hit.get("preview", ""), str),
        "title must be a text or null": isinstance(hit.get("title") or "", str),
        "heading_path must be a list of texts": _are_texts(hit.get("heading_path", [])),
    }
    return next((message for message, good in checks.items() if not good), None)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _are_texts(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(
        isinstance(part, str) for part in cast("list[object]", value)
    )


def _number(hit: Mapping[str, object]) -> float:
    return float(cast("float", hit["score"]))


def _texts(hit: Mapping[str, object]) -> list[str]:
    headings = cast("Sequence[str]", hit.get("heading_path") or ())
    return [str(hit.get("preview") or ""), *headings, str(hit.get("title") or "")]
