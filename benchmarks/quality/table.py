"""Results as Markdown."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING

from tamis.evaluate import compare

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tamis.evaluate import Evaluation, Measure

SIGNIFICANT = 0.05


def markdown(results: Mapping[str, Mapping[str, Evaluation]], measure: Measure, reference: str) -> str:
    """One row a system, one column a set, the mean over the sets last.

    ``▼`` marks a value that the reference beats and ``▲`` one that beats the reference, p < .05 in a paired
    randomisation test over the set's queries; the best value of a set is bold.

    Args:
        results: By set, then by system.
        measure: What to show.
        reference: The system that the others are compared with.
    """
    sets = list(results)
    systems = list(dict.fromkeys(system for runs in results.values() for system in runs))
    lines = [
        f"| {measure} | " + " | ".join(sets) + " | mean |",
        "|---|" + "---|" * (len(sets) + 1),
    ]
    for system in systems:
        cells = [_cell(results[name], system, measure, reference) for name in sets]
        run_everywhere = all(system in results[name] for name in sets)
        mean = f"{fmean(results[name][system].mean(measure) for name in sets):.4f}" if run_everywhere else "–"
        lines.append(f"| {system} | " + " | ".join(cells) + f" | {mean} |")
    return "\n".join(lines)


def latencies(results: Mapping[str, Mapping[str, Evaluation]]) -> str:
    """Median and 95 % latency of each system, in milliseconds, the median set of each."""
    systems = list(dict.fromkeys(system for runs in results.values() for system in runs))
    lines = ["| ms a query | median | 95 % |", "|---|---|---|"]
    for system in systems:
        runs = [runs[system] for runs in results.values() if system in runs]
        lines.append(f"| {system} | {_middle(runs, 0.5):.1f} | {_middle(runs, 0.95):.1f} |")
    return "\n".join(lines)


def _cell(runs: Mapping[str, Evaluation], system: str, measure: Measure, reference: str) -> str:
    if system not in runs:
        return "–"
    value = runs[system].mean(measure)
    best = max(run.mean(measure) for run in runs.values())
    text = f"**{value:.3f}**" if value == best else f"{value:.3f}"
    if system == reference or reference not in runs:
        return text
    comparison = compare(runs[reference], runs[system], measure)
    if comparison.p_value < SIGNIFICANT:
        text += "▲" if comparison.difference > 0 else "▼"
    return text


def _middle(runs: Sequence[Evaluation], quantile: float) -> float:
    values = sorted(run.latency_ms(quantile) for run in runs)
    return values[len(values) // 2]
