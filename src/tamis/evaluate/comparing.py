"""Is one set-up better than another, or was it luck?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tamis.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tamis.evaluate.evaluation import Evaluation
    from tamis.evaluate.measures import Measure

RESAMPLES: Final = 9999
"""With the observed assignment 10,000, so that the smallest p is .0001."""
CONFIDENCE: Final = 0.95
SEED: Final = 7
"""Fixed, so that the same two runs always give the same p."""
BLOCK: Final = 500
"""Resamples drawn at once: a few megabytes for a thousand queries."""
SAME: Final = 1e-9
"""Differences below this are rounding."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """``difference`` is the mean of (candidate − baseline) over the queries, ``interval`` its 95 % bootstrap interval.

    ``p_value``: two-sided, from a paired randomisation test. Both are ``None`` where half or more of one side's searches
    did not do what their set-up says. ``wins``, ``losses``, ``ties`` count queries.
    """

    measure: Measure
    difference: float
    interval: tuple[float, float] | None
    p_value: float | None
    wins: int
    losses: int
    ties: int


def compare(baseline: Evaluation, candidate: Evaluation, measure: Measure) -> Comparison:
    """Compare two set-ups query by query.

    The test flips the sign of each query's difference at random (Smucker, Allan and Carterette, CIKM 2007, who
    recommend it over Student's t and Wilcoxon for means of IR measures) with ``p = (1 + extreme) / (1 + resamples)``;
    the interval is the percentile bootstrap over queries. Both are reproducible: the generator's seed is fixed.

    Raises:
        InputError: The two did not run the same queries, or the measure was not computed.
    """
    if [outcome.id for outcome in baseline.queries] != [outcome.id for outcome in candidate.queries]:
        raise InputError("the two runs have different queries", hint="evaluate both on the same gold")
    import numpy as np

    differences = np.subtract(candidate.values(measure), baseline.values(measure))
    stands = baseline.stands and candidate.stands
    wins, losses = int((differences > SAME).sum()), int((differences < -SAME).sum())
    interval, p_value = _tested(differences) if stands else (None, None)
    return Comparison(
        measure=measure,
        difference=float(differences.mean()),
        interval=interval,
        p_value=p_value,
        wins=wins,
        losses=losses,
        ties=len(differences) - wins - losses,
    )


def _tested(differences: NDArray[np.float64]) -> tuple[tuple[float, float], float]:
    """The bootstrap's interval and the randomisation's p."""
    import numpy as np

    count = len(differences)
    observed = float(differences.mean())
    generator = np.random.default_rng(SEED)
    flipped: list[float] = []
    drawn: list[float] = []
    for done in range(0, RESAMPLES, BLOCK):
        shape = min(BLOCK, RESAMPLES - done), count
        flipped.extend(np.abs((generator.integers(0, 2, shape) * 2 - 1) @ differences) / count)
        drawn.extend(differences[generator.integers(0, count, shape)].mean(axis=1))
    extreme = sum(bool(value >= abs(observed) - SAME) for value in flipped)
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(drawn, (tail, 1 - tail))
    return (float(low), float(high)), (1 + extreme) / (1 + RESAMPLES)
