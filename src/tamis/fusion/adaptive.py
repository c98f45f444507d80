"""The default: each side counts as much as its scores say that it knows.

``docs/decisions/007-default-fusion.md`` has the measurements behind the form and the constants.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from tamis.fusion.ordering import best_first, checked_weights
from tamis.fusion.sides import DEPTH, background

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tamis.fusion.sides import Background, Sides

Key = TypeVar("Key")

CONTRAST_POWER: Final = 3
LEAST_CONTRAST: Final = 0.4
"""Below it the words would fall silent in a very large corpus; it costs nothing in the measured ones."""
DENSE_SHARE: Final = 0.12
"""Worth of one standard deviation of cosine, against a best lexical score of full contrast."""
LEAST_TRUST: Final = 0.25
NO_TRUST_AT: Final = -0.5
FULL_TRUST_AT: Final = 1.0
"""Standard deviations by which the best cosine stands above what chance would bring."""
TINY: Final = 1e-6


def adaptive(sides: Sides[Key], weights: Sequence[float] | None = None) -> list[tuple[Key, float]]:
    """Fuse a lexical and a dense ranking by scores, each weighted by what this query's scores tell of it.

    ``contrast³ · bm25 / best bm25  +  0.12 · trust · z``, divided by the most that both sides together could give, where

    - *contrast* is ``1 − bm25 at rank 100 / best bm25``, .4 or more: near 1 when few documents hold the query's rare words,
      low when very many hold them all about equally often; 1 for fewer than 100 matches.
    - *z* is a candidate's cosine in standard deviations of the query's cosines over the corpus.
    - *trust* compares the best z with what the best of so many unrelated vectors would have by chance (the normal quantile
      of ``1 − 1/(count + 1)``): 1 from a whole deviation above, falling to .25 at chance and below. A text in a language that the model
      does not know stands out no more than chance.

    A candidate that the lexical side does not hold has no lexical part; one without a vector has the mean z of the
    lexical candidates. One side alone keeps its order. Where no background was measured, the candidates stand in for the
    corpus, at a mean loss of .004 nDCG@10.

    Args:
        sides: The two rankings with the cosines of all candidates.
        weights: Factors of the lexical and of the dense part, not negative; candidates of a side of weight 0 that the other
            side does not hold are left out.

    Returns:
        Keys with fused scores from 0 to 1, score descending, keys ascending among equals.

    Raises:
        InputError: Weights that are not two, or a negative one.
    """
    lexical_weight, dense_weight = checked_weights(2, weights)
    words = dict(sides.lexical) if lexical_weight > 0 else {}
    cosines = dict(sides.dense) if dense_weight > 0 else {}
    if cosines:
        cosines.update(item for item in sides.beside if item[0] in words)
    best_words = max(words.values(), default=0.0)
    word_worth = lexical_weight * contrast(sides.lexical) / max(best_words, TINY)
    cosine_worth, origin = _of_meaning(cosines, sides.background, dense_weight)
    both = [cosines[key] for key in words if key in cosines]
    unseen = sum(both) / len(both) if both else origin
    most = word_worth * best_words + cosine_worth * (max(cosines.values(), default=origin) - origin)
    most = max(most, TINY)
    return best_first(
        (key, (word_worth * words.get(key, 0.0) + cosine_worth * (cosines.get(key, unseen) - origin)) / most)
        for key in words.keys() | cosines.keys()
    )


def contrast(lexical: Sequence[tuple[Key, float]]) -> float:
    """The cube of how far the best lexical score stands above that at rank 100; from .064 to 1."""
    if len(lexical) < DEPTH:
        return 1.0
    best, last = lexical[0][1], lexical[DEPTH - 1][1]
    return max(LEAST_CONTRAST, 1.0 - last / best) ** CONTRAST_POWER if best > 0 else 1.0


def trust(best: float, count: int) -> float:
    """How far the best of ``count`` cosines, in standard deviations, can be believed: .25 to 1."""
    # Not at the top: it loads decimal and fractions, which a search by words alone does without.
    from statistics import NormalDist

    by_chance = NormalDist().inv_cdf(1.0 - 1.0 / (count + 1)) if count > 0 else 0.0
    share = (best - by_chance - NO_TRUST_AT) / (FULL_TRUST_AT - NO_TRUST_AT)
    return min(1.0, max(LEAST_TRUST, share))


def _of_meaning(
    cosines: Mapping[Key, float], measured: Background | None, weight: float
) -> tuple[float, float]:
    """What each unit of cosine is worth, and from which cosine on."""
    if not cosines:
        return 0.0, 0.0
    values = list(cosines.values())
    corpus = measured or background(values, len(values))
    deviation = max(corpus.deviation, TINY)
    trusted = trust((max(values) - corpus.mean) / deviation, corpus.count)
    # Candidates below the corpus' mean would come out negative: the lowest of them is the origin then.
    return weight * DENSE_SHARE * trusted / deviation, min(corpus.mean, *values)
