"""Names of measures as values, and their computation by ir-measures over pytrec_eval."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from tamis.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

    from tamis.evaluate.matching import Judged

FAMILIES: Final = {"nDCG": "nDCG", "Recall": "R", "MRR": "RR", "Success": "Success", "P": "P", "MAP": "AP"}
"""Our spelling and that of ir-measures, whose ``RR`` is the MRR of one query and whose ``AP`` its MAP."""
NEEDS_CUTOFF: Final = frozenset({"Recall", "Success", "P"})


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure with its cutoff; ``str`` gives ``nDCG@10``, which ``parse_measure`` reads back.

    nDCG is trec_eval's: gain = grade, discount ``log2(rank + 1)``.
    """

    family: str
    cutoff: int | None = None

    def __str__(self) -> str:
        return self.family if self.cutoff is None else f"{self.family}@{self.cutoff}"


def parse_measure(text: str) -> Measure:
    """Read ``nDCG@10``, ``Recall@100``, ``MRR``, ``MRR@10``, ``Success@5``, ``P@5``, ``MAP``; case does not matter.

    Raises:
        InputError: No such measure, or a cutoff that is missing or not positive.
    """
    known = {family.casefold(): family for family in FAMILIES}
    match = re.fullmatch(r"([a-z]+)(?:@([0-9]{1,6}))?", text.strip().casefold())
    family = known.get(match[1]) if match else None
    if match is None or family is None:
        raise InputError(
            f"no measure {text!r}", hint="measures: " + ", ".join(f"{name}@10" for name in FAMILIES)
        )
    cutoff = int(match[2]) if match[2] else None
    if cutoff == 0 or (cutoff is None and family in NEEDS_CUTOFF):
        raise InputError(f"{family} needs a cutoff of 1 or more", hint=f"for example {family}@10")
    return Measure(family, cutoff)


DEFAULT_MEASURES: Final = (
    Measure("nDCG", 10),
    Measure("Recall", 10),
    Measure("Recall", 100),
    Measure("MRR", 10),
    Measure("Success", 1),
    Measure("Success", 5),
)


def compute(measures: Sequence[Measure], judged: Sequence[Judged]) -> list[Mapping[Measure, float]]:
    """Each query's value of each measure.

    Args:
        measures: What to compute.
        judged: Each query's ranking (see ``judge``).

    Raises:
        MissingExtraError: The extra ``eval`` is not installed.
    """
    library = measuring_library()
    theirs = {library.parse_measure(_spelling(measure)): measure for measure in measures}
    qrels = {
        str(place): {f"t{index}": target.grade for index, target in enumerate(each.answers)}
        for place, each in enumerate(judged)
    }
    run = {
        str(place): {
            f"x{rank}" if index is None else f"t{index}": -float(rank)
            for rank, index in enumerate(each.ranking)
        }
        for place, each in enumerate(judged)
    }
    values: list[dict[Measure, float]] = [dict.fromkeys(measures, 0.0) for _ in judged]
    for metric in library.iter_calc(list(theirs), qrels, run):
        values[int(metric.query_id)][theirs[metric.measure]] = float(metric.value)
    return list(values)


def _spelling(measure: Measure) -> str:
    return str(Measure(FAMILIES[measure.family], measure.cutoff))


def measuring_library() -> ModuleType:
    """What the values are computed with. It is asked for before anything is searched, which may take long and cost.

    Raises:
        MissingExtraError: The extra ``eval`` is not installed.
    """
    # ir-measures loads its providers late and silently: a missing one is told of here.
    if find_spec("pytrec_eval") is None:
        raise MissingExtraError("evaluation", "eval")
    try:
        import ir_measures
    except ImportError as error:
        raise MissingExtraError("evaluation", "eval") from error
    return ir_measures
