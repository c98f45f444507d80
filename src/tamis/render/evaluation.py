"""An evaluation, for people and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tamis.render.cells import cut, lines, width
from tamis.render.printable import one_line
from tamis.render.quantities import count
from tamis.render.style import BOLD, FAINT, YELLOW
from tamis.render.table import GAP, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tamis.evaluate import Comparison, Evaluation, QueryOutcome
    from tamis.library.evaluating import Evaluated
    from tamis.render.style import Style
    from tamis.types import ModelUse

WORST = 5
SIGNIFICANT = 0.05


def evaluation_text(found: Evaluated, style: Style, *, per_query: bool = False) -> str:
    """Means with a mark where a difference from the first set-up is no luck, latencies, and the worst queries.

    Args:
        per_query: Every query in place of the worst.
    """
    last = found.evaluations[-1]
    main = last.measures[0]
    shown = last.queries if per_query else last.worst(main, WORST)
    short = f" ({last.shortfall_note})" if last.shortfall_note else ""
    title = "every query" if per_query else f"worst queries of {one_line(last.name)}{short}"
    names, legend = _names(found, style)
    parts = [
        _means(found, names, style),
        *legend,
        *_differences(found, style),
        "",
        style.paint(f"{title}, by {main}", BOLD),
        _queries(shown, found.evaluations if per_query else [last], names if per_query else ("",), style),
    ]
    return "\n".join(parts)


@dataclass(frozen=True, slots=True)
class EvaluationData:
    """An evaluation for JSON: means, latencies and every query's values; and how set-ups differ from the first.

    ``degraded``: some set-up's searches did not do all that it says; each set-up has their number.
    """

    evaluations: list[dict[str, Any]]
    comparisons: list[dict[str, Any]]
    targets: int
    absent_targets: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    degraded: bool = False
    degrade_reason: str | None = None
    model_use: ModelUse | None = None


@dataclass(frozen=True, slots=True)
class Drafted:
    """A gold file that was drafted."""

    path: str
    queries: int
    warnings: tuple[str, ...] = ()


def evaluation_data(found: Evaluated) -> EvaluationData:
    """What JSON shows."""
    short = [each for each in found.evaluations if each.shortfall_note]
    return EvaluationData(
        [each.to_dict() for each in found.evaluations],
        [
            {
                "baseline": found.evaluations[0].name,
                "candidate": other.name,
                "measures": {str(one.measure): _comparison(one) for one in compared},
            }
            for other, compared in zip(found.evaluations[1:], found.comparisons, strict=True)
        ],
        found.targets,
        found.absent,
        found.warnings,
        degraded=bool(short),
        degrade_reason="; ".join(f"{each.name}: {each.shortfall_note}" for each in short) or None,
        model_use=found.model_use,
    )


def _comparison(one: Comparison) -> dict[str, Any]:
    names = ("difference", "interval", "p_value", "wins", "losses", "ties")
    return {name: getattr(one, name) for name in names}


def _names(found: Evaluated, style: Style) -> tuple[tuple[str, ...], list[str]]:
    """What the tables call the set-ups: by their names, or where these are too long by numbers, with what they stand for."""
    names = tuple(one_line(each.name) for each in found.evaluations)
    if max(map(width, _means(found, names, style).splitlines())) <= style.width:
        return names, []
    numbers = tuple(map(str, range(1, len(names) + 1)))
    return numbers, [f"{number} = {name}" for number, name in zip(numbers, names, strict=True)]


def _means(found: Evaluated, names: Sequence[str], style: Style) -> str:
    """Set-ups down and measures across: set-ups may be many."""
    measures = found.evaluations[0].measures
    header = (count(len(found.evaluations[0].queries), "query", "queries").upper(), *map(str, measures), "MS")
    compared: list[Sequence[Comparison]] = [(), *found.comparisons]
    rows = [
        (
            name,
            *(
                f"{each.mean(measure):.3f}{_mark(against[place] if against else None)}"
                for place, measure in enumerate(measures)
            ),
            f"{each.latency_ms(0.5):.0f}/{each.latency_ms(0.95):.0f}",
        )
        for name, each, against in zip(names, found.evaluations, compared, strict=True)
    ]
    head, *shown = table(header, rows, style, right=range(1, len(header))).split("\n")
    marked = zip(shown, found.evaluations, strict=True)
    return "\n".join([head, *(line for row, each in marked for line in (row, *_short(each, style)))])


def _short(run: Evaluation, style: Style) -> Iterator[str]:
    """Under a row: how many of its searches were not what it says they are."""
    if run.shortfall_note:
        (reason, *_) = run.shortfall_reasons
        yield style.paint(cut("  ! " + one_line(f"{run.shortfall_note}: {reason}"), style.width), YELLOW)


def _mark(one: Comparison | None) -> str:
    return "*" if one is not None and one.p_value is not None and one.p_value < SIGNIFICANT else " "


def _differences(found: Evaluated, style: Style) -> Iterator[str]:
    note = f"Judged: {found.evaluations[0].level}. MS: median/95 % of a search."
    if found.comparisons:
        note = f"* differs from {found.evaluations[0].name}, p < .05 (paired randomisation). {note}"
    yield from (style.paint(line, FAINT) for line in lines(note, style.width))
    for other, compared in zip(found.evaluations[1:], found.comparisons, strict=True):
        yield from lines(
            one_line(f"{other.name}: {_said(found.evaluations[0], other, compared[0])}"), style.width
        )


def _said(first: Evaluation, other: Evaluation, one: Comparison) -> str:
    if one.interval is None or one.p_value is None:
        fallen = first if other.stands else other
        return f"not compared, {fallen.shortfall_note}" + (f" in {first.name}" if fallen is first else "")
    low, high = one.interval
    return (
        f"{one.measure} {one.difference:+.3f} [{low:+.3f}, {high:+.3f}], p = {one.p_value:.4f}, "
        f"{one.wins} won, {one.losses} lost, {one.ties} same"
        + "".join(f", {each.shortfall_note} in {each.name}" for each in (first, other) if each.shortfall_note)
    )


def _queries(
    outcomes: Sequence[QueryOutcome], evaluations: Sequence[Evaluation], names: Sequence[str], style: Style
) -> str:
    main = evaluations[0].measures[0]
    by_id = [{outcome.id: outcome.values[main] for outcome in each.queries} for each in evaluations]
    header = (*(name or str(main) for name in names), "FOUND AT", "QUERY")
    used = sum(max(len("0.000"), width(name)) + len(GAP) for name in header[:-1])
    rows = [
        (
            *(f"{values[outcome.id]:.3f}" for values in by_id),
            cut(", ".join(map(str, outcome.found_ranks)) or "none", len("FOUND AT")),
            cut(one_line(outcome.query), max(20, style.width - used)),
        )
        for outcome in outcomes
    ]
    return table(header, rows, style, right=range(len(names)))
