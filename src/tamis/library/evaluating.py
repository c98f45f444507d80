"""Measuring a library's own searches against what ought to be found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any, cast

from tamis.errors import InputError
from tamis.evaluate import DEFAULT_MEASURES, compare, evaluate

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tamis.evaluate import Comparison, Evaluation, Gold, Measure
    from tamis.library.library import Library
    from tamis.library.request import SearchOptions
    from tamis.types import Hit

DEPTH = 100
"""Hits that are looked at: the most that a search gives."""


@dataclass(frozen=True, slots=True)
class SetUp:
    """One way to search."""

    name: str
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Evaluated:
    """Set-ups on the same queries. ``comparisons``: of each set-up but the first with the first, by measure."""

    evaluations: tuple[Evaluation, ...]
    comparisons: tuple[tuple[Comparison, ...], ...]
    warnings: tuple[str, ...] = ()


def set_ups(modes: Sequence[str], fusions: Sequence[str], rerankers: Sequence[str]) -> tuple[SetUp, ...]:
    """Every mode with every fusion, without a reranker and with each; what is left empty is the configuration's.

    Fusions are told apart only in the modes that fuse.
    """
    found: dict[str, SetUp] = {}
    for reranker, mode, fusion in product(("", *rerankers), modes or ("",), fusions or ("",)):
        fused = fusion if mode in ("", "hybrid", "fact") else ""
        parts = [mode or ("" if fused else "default"), fused, f"+ {reranker}" if reranker else ""]
        name = " ".join(filter(None, parts))
        options = {"mode": mode or None, "fusion": fused or None, "rerank": reranker or None}
        found.setdefault(name, SetUp(name, options))
    return tuple(found.values())


def measure(
    library: Library,
    gold: Gold,
    corpora: Sequence[str],
    setups: Sequence[SetUp],
    measures: Sequence[Measure] = (),
    *,
    scope: str | None = None,
    progress: Callable[[str, int, int | None], None],
) -> Evaluated:
    """Run the gold's queries through each set-up.

    Raises:
        InputError: The gold has nothing relevant, or a set-up makes no sense.
        MissingExtraError: The extra ``eval`` is not installed.
        CorpusNotFoundError: A corpus does not exist.
    """
    if not setups:
        raise InputError("no set-up to measure", hint="name a mode")
    total = sum(1 for query in gold.queries if query.relevant)
    warnings: dict[str, None] = {}

    def run_of(setup: SetUp) -> Callable[[str], Sequence[Hit]]:
        done = 0

        def run(query: str) -> Sequence[Hit]:
            nonlocal done
            # Nothing of a search that people look at: no previews, so that the time is the ranking's.
            options = cast("SearchOptions", {"top_k": DEPTH, "preview_chars": 0, **setup.options})
            result = library.search(query, corpora, scope=scope, **options)
            warnings.update(dict.fromkeys(f"{setup.name}: {warning}" for warning in result.warnings))
            done += 1
            progress(setup.name, done, total)
            return result.hits

        return run

    evaluations: list[Evaluation] = []
    for setup in setups:
        if total:
            _warm(run_of(replace(setup, options={**setup.options, "rerank": "noop"})), gold)
        evaluations.append(evaluate(run_of(setup), gold, measures or DEFAULT_MEASURES, name=setup.name))
    first = evaluations[0]
    return Evaluated(
        tuple(evaluations),
        tuple(
            tuple(compare(first, other, measure) for measure in first.measures) for other in evaluations[1:]
        ),
        tuple(warnings),
    )


def _warm(run: Callable[[str], Sequence[Hit]], gold: Gold) -> None:
    """Loading an embedder is no part of a search's latency; a reranker, which may cost, is not asked twice."""
    run(gold.queries[0].text)
