"""One answer out of the answers of several corpora."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tamis.fusion import rrf
from tamis.types import SearchResult

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tamis.types import ModelUse


def merge(results: Sequence[SearchResult], weights: Mapping[str, float], limit: int) -> SearchResult:
    """Reciprocal rank fusion over the corpora's rankings: scores of two corpora do not compare, places do.

    Args:
        weights: By corpus name; 1 for a corpus that is not named.
    """
    hits = {(hit.corpus, hit.id): hit for result in results for hit in result.hits}
    fused = rrf(
        [[((hit.corpus, hit.id), hit.score) for hit in result.hits] for result in results],
        [weights.get(result.corpus_name, 1.0) for result in results],
    )
    ranked = sorted(fused, key=lambda item: (-item[1], hits[item[0]].path, hits[item[0]].chunk_index))[:limit]
    reasons = [
        f"{result.corpus_name}: {result.degrade_reason}" for result in results if result.degrade_reason
    ]
    return SearchResult(
        hits=tuple(
            replace(
                hits[key],
                score=score,
                rank=rank,
                score_breakdown={
                    **hits[key].score_breakdown,
                    "corpus_score": hits[key].score,
                    "across": score,
                },
            )
            for rank, (key, score) in enumerate(ranked, 1)
        ),
        corpus_name=", ".join(result.corpus_name for result in results),
        model_version=", ".join(dict.fromkeys(result.model_version for result in results)),
        total_chunks=sum(result.total_chunks for result in results),
        mode=results[0].mode,
        weak=not ranked,
        reason=None if ranked else "; ".join(dict.fromkeys(r.reason for r in results if r.reason)),
        dense_coverage=_coverage(results),
        model_use=together([result.model_use for result in results if result.model_use]),
        degraded=bool(reasons),
        degrade_reason="; ".join(reasons) or None,
        warnings=tuple(f"{result.corpus_name}: {text}" for result in results for text in result.warnings),
    )


def _coverage(results: Sequence[SearchResult]) -> float | None:
    """The share of all the corpora's chunks that the dense side saw; one that is empty has no part in it."""
    covered = [
        (each.dense_coverage, each.total_chunks) for each in results if each.dense_coverage is not None
    ]
    if not covered:
        return None
    chunks = sum(count for _, count in covered)
    return sum(share * count for share, count in covered) / chunks if chunks else covered[0][0]


def together(uses: Sequence[ModelUse]) -> ModelUse | None:
    """The embedders' part: that of the first one, under the names of all."""
    if not uses:
        return None
    names = dict.fromkeys(name for use in uses for name in use.model.split(", "))
    backends = dict.fromkeys(name for use in uses for name in use.backend.split(", "))
    return replace(uses[0], model=", ".join(names), backend=", ".join(backends))
