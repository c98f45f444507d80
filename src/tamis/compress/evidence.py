"""From relevance to what a candidate is worth: the share of the evidence that it can be expected to carry.

Two questions, answered apart: in which item does the evidence lie, and where in the item? The first is a softmax over
the items' ranks, their best candidates and, where it is known, how similar each is to the query. The second is a mixture:
the evidence is the whole item (each token is worth the same), or it is where the query's words are (the candidates'
relevance, sharpened). The product, divided by the tokens that a candidate costs, is what selection goes by. The constants
were fitted on the tuning halves of the benchmark's questions; a wide range around each does about as well
(benchmarks/compress).
"""

from __future__ import annotations

import heapq
from math import exp
from statistics import fmean, pstdev
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# Share of the evidence that lies anywhere in its item.
WHOLE_ITEM = 0.7
# Exponent that sharpens relevance within an item.
FOCUS = 3.0
# Exponents of an item's rank, of the strength of its best candidates, and of its length.
RANK = 1.2
STRENGTH = 3.0
LENGTH = 0.3
# What a standard deviation of the items' similarity to the query is worth, as an exponent of e. From 1 to 3 the benchmark
# changes little; the deviation of the 20 passages of a search is seldom below .03.
SIMILAR = 1.5
LEAST_DEVIATION = 0.03
# Share of the items' probability that follows the rank alone: the given order may know what words do not show.
RANK_ALONE = 0.1
# Keeps an item without a match in play, relative to the best one.
FLOOR = 0.05
# An item answers about as well as the best one if its best candidate has this share of the best relevance.
HEARD = 0.8
# … and the first item given is heard first if it has this share.
FIRST_HEARD = 0.5
# The best candidate counts fully, the two behind it half.
RUNNERS_UP = 0.5


def worth(
    relevances: Sequence[Sequence[float]],
    tokens: Sequence[Sequence[int]],
    similarities: Sequence[float | None] = (),
) -> list[list[float]]:
    """The expected share of the evidence for each candidate of each item; all together at most 1.

    Args:
        relevances: For each item, best first, its candidates' relevance, 0 or more.
        tokens: What each candidate costs.
        similarities: The cosine of each item and the query, ``None`` where it is not known.
    """
    lengths = [sum(row) or 1 for row in tokens]
    items = item_shares([_strength(row) for row in relevances], lengths, likeness(similarities))
    return [
        _within(share, row, costs, length)
        for share, row, costs, length in zip(items, relevances, tokens, lengths, strict=True)
    ]


def heard_first(tops: Sequence[float], worths: Sequence[float], enough: float = HEARD) -> list[int]:
    """The items whose best candidate comes before all others, in that order.

    Args:
        tops: The relevance of each item's best candidate, 0 where it has none; items best first.
        worths: What those candidates are worth.
        enough: The share of the best one's relevance that an item has to have.

    They are the items that answer about as well as the best does, the most worthy first: no item is kept whole while
    another that has the answer is not heard. The first item given is heard before all others unless it answers much
    worse: the order given may know what words do not show.
    """
    best = max(tops, default=0.0)
    if best <= 0:
        return []
    heard = [item for item, top in enumerate(tops) if top >= enough * best]
    heard.sort(key=lambda item: (-worths[item], item))
    if tops[0] >= FIRST_HEARD * best:
        return [0, *(item for item in heard if item != 0)]
    return heard


def likeness(similarities: Sequence[float | None]) -> list[float]:
    """A factor for each item: how much its similarity speaks for it beside the others'.

    An item of which it is not known is as similar as the others are on the mean.
    """
    known = [each for each in similarities if each is not None]
    if not known:
        return [1.0] * len(similarities)
    mean, deviation = fmean(known), max(pstdev(known), LEAST_DEVIATION)
    return [1.0 if each is None else exp(SIMILAR * (each - mean) / deviation) for each in similarities]


def item_shares(
    strengths: Sequence[float], lengths: Sequence[int], factors: Sequence[float] = ()
) -> list[float]:
    """How likely the evidence lies in each item; sums to 1."""
    if not strengths:
        return []
    best = max(strengths) or 1.0
    mean = sum(lengths) / len(lengths)
    by_rank = [rank**-RANK for rank in range(1, len(strengths) + 1)]
    by_match = [
        prior * (strength / best + FLOOR) ** STRENGTH * (length / mean + FLOOR) ** -LENGTH * factor
        for prior, strength, length, factor in zip(
            by_rank, strengths, lengths, factors or [1.0] * len(lengths), strict=True
        )
    ]
    all_rank, all_match = sum(by_rank), sum(by_match)
    return [
        (1 - RANK_ALONE) * match / all_match + RANK_ALONE * prior / all_rank
        for match, prior in zip(by_match, by_rank, strict=True)
    ]


def _strength(row: Sequence[float]) -> float:
    best = heapq.nlargest(3, row)
    return best[0] + RUNNERS_UP * sum(best[1:]) if best else 0.0


def _within(share: float, row: Sequence[float], costs: Sequence[int], length: int) -> list[float]:
    sharpened = [relevance**FOCUS for relevance in row]
    total = sum(sharpened)
    if total <= 0:
        return [share * cost / length for cost in costs]
    return [
        share * (WHOLE_ITEM * cost / length + (1 - WHOLE_ITEM) * sharp / total)
        for sharp, cost in zip(sharpened, costs, strict=True)
    ]
