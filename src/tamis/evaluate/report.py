"""An evaluation as one HTML file that needs nothing else."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from tamis.errors import InputError
from tamis.evaluate.charts import WIDE, WIDTH, bar, difference_chart, key, line_chart
from tamis.evaluate.comparing import compare
from tamis.evaluate.report_style import STYLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tamis.evaluate.comparing import Comparison
    from tamis.evaluate.evaluation import Evaluation, QueryOutcome
    from tamis.evaluate.gold import Gold, GoldQuery
    from tamis.evaluate.measures import Measure

CUTOFFS: Final = (1, 2, 3, 5, 10, 20, 50, 100)
WORST: Final = 15
SIGNIFICANT: Final = 0.05
MANY: Final = 4
"""More runs than this are numbered, and stand in columns by their numbers."""


def html_report(
    evaluations: Sequence[Evaluation],
    gold: Gold,
    *,
    title: str = "Retrieval quality",
    warnings: Sequence[str] = (),
) -> str:
    """A self-contained page: means with significance against the first run, recall curves, every query's gain or loss,
    latency, the worst queries with what was wanted and what came, and a table of all queries.

    The first measure of the first run is the one that wins, losses and the worst queries go by. A run whose searches fell
    short of it is marked wherever it stands.

    Raises:
        InputError: There is no run, or the runs differ in queries or measures.
    """
    if not evaluations:
        raise InputError("no run to report", hint="evaluate one first")
    baseline, *others = evaluations
    if any(other.measures != baseline.measures for other in others):
        raise InputError("the runs have different measures", hint="evaluate all with the same measures")
    main = baseline.measures[0]
    comparisons = [[compare(baseline, other, measure) for measure in baseline.measures] for other in others]
    wanted = {query.id: query for query in gold.queries}
    body = [
        f"<h1>{escape(title)}</h1>",
        _preface(baseline),
        _warnings(warnings),
        "<h2>Means</h2>",
        _means(evaluations, comparisons),
        "<h2>Plots</h2>",
        f'<div class="grid2">{"".join(_figures(baseline, others, comparisons))}</div>',
        f"<h2>Worst queries of {escape(evaluations[-1].name)}</h2>{_short(evaluations[-1])}",
        _worst(evaluations[-1], main, wanted),
        "<h2>Every query</h2>",
        _every(evaluations, main),
    ]
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="generator" content="tamis eval"><meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body><main>{''.join(body)}</main></body></html>\n"
    )
    # A lone surrogate, which no encoding has, is spelled out.
    return page.encode("utf-8", "backslashreplace").decode()


def _preface(run: Evaluation) -> str:
    return (
        f'<p class="note">{_queries(len(run.queries), "judged ")}, {run.level}. '
        f"{escape(str(run.measures[0]))} is the measure that wins, losses and worst queries go by.</p>"
    )


def _queries(number: int, kind: str = "") -> str:
    return f"{number} {kind}{'query' if number == 1 else 'queries'}"


def _warnings(warnings: Sequence[str]) -> str:
    items = "".join(f"<li>{escape(text)}</li>" for text in warnings)
    return f'<ul class="warn">{items}</ul>' if items else ""


def _short(run: Evaluation) -> str:
    """A mark at a run whose searches fell short of it."""
    return f'<span class="short">{escape(run.shortfall_note)}</span>' if run.shortfall_note else ""


def _means(evaluations: Sequence[Evaluation], comparisons: Sequence[Sequence[Comparison]]) -> str:
    """Set-ups down and measures across: set-ups may be many."""
    measures = evaluations[0].measures
    head = (
        "<th>Set-up</th>"
        + "".join(f'<th class="n">{escape(str(measure))}</th>' for measure in measures)
        + '<th class="n">ms</th>'
    )
    best = [max(run.mean(measure) for run in evaluations) for measure in measures]
    rows: list[str] = []
    for place, run in enumerate(evaluations):
        cells = [
            f'<td class="n{" best" if run.mean(measure) == best[column] else ""}">{run.mean(measure):.3f}'
            f"{_against(comparisons[place - 1][column]) if place else ''}{bar(run.mean(measure), place)}</td>"
            for column, measure in enumerate(measures)
        ]
        latency = f'{run.latency_ms(0.5):.1f}<span class="sub">{run.latency_ms(0.95):.1f}</span>'
        rows.append(
            f'<tr><td class="run">{_label(evaluations, place)}{_short(run)}</td>{"".join(cells)}<td class="n">{latency}</td></tr>'
        )
    against = (
        f"Below a mean: its difference from {escape(evaluations[0].name)}, the 95 % bootstrap interval, and p of a paired "
        "randomisation test; * where p &lt; .05. "
        if comparisons
        else ""
    )
    return _table(head, rows) + f'<p class="note">{against}ms: median of a search, and below it 95 %.</p>'


def _against(comparison: Comparison) -> str:
    if comparison.interval is None or comparison.p_value is None:
        return '<span class="sub">not compared</span>'
    star = "*" if comparison.p_value < SIGNIFICANT else ""
    low, high = comparison.interval
    return (
        f'{star}<span class="sub">{comparison.difference:+.3f}<br>[{low:+.3f}, {high:+.3f}]<br>'
        f"p = {comparison.p_value:.4f}</span>"
    )


def _figures(
    baseline: Evaluation, others: Sequence[Evaluation], comparisons: Sequence[Sequence[Comparison]]
) -> Iterable[str]:
    runs = [baseline, *others]
    curves = [(run.name, run.recall_curve(CUTOFFS)) for run in runs]
    legend = "".join(f'<span class="entry">{_label(runs, place)}</span>' for place in range(len(runs)))
    wide = len(runs) != 2  # two figures stand side by side
    width = WIDE if wide else WIDTH
    yield _figure(
        line_chart(CUTOFFS, curves, x_label="results looked at", y_label="recall", width=width),
        f"Recall: the share of what is relevant that is among so many results. Dashes that take turns are equal curves.<br>{legend}",
        wide=wide,
    )
    measure = baseline.measures[0]
    before = baseline.values(measure)
    for other, compared in zip(others, comparisons, strict=True):
        after = other.values(measure)
        differences = [
            (outcome.query, new - old) for outcome, old, new in zip(other.queries, before, after, strict=True)
        ]
        label = f"{measure}: {other.name} against {baseline.name}"
        first = compared[0]
        yield _figure(
            difference_chart(differences, label=label),
            f"{escape(label)}: {first.wins} won, {first.losses} lost, {first.ties} the same{_short(other)}",
        )


def _worst(run: Evaluation, measure: Measure, wanted: dict[str, GoldQuery]) -> str:
    head = f'<th class="n">{escape(str(measure))}</th><th>Query</th><th>Wanted</th><th>Came first</th>'
    return _table(head, [_worst_row(outcome, measure, wanted) for outcome in run.worst(measure, WORST)])


def _worst_row(outcome: QueryOutcome, measure: Measure, wanted: dict[str, GoldQuery]) -> str:
    ranks = ", ".join(map(str, outcome.found_ranks)) or "none"
    targets = [target.text for target in wanted[outcome.id].relevant]
    return (
        f'<tr><td class="n">{outcome.values[measure]:.3f}</td><td>{escape(outcome.query)}'
        f'<span class="sub">found at: {ranks}</span></td><td class="names">{_names(targets)}</td>'
        f'<td class="names">{_names(outcome.results)}</td></tr>'
    )


def _every(evaluations: Sequence[Evaluation], measure: Measure) -> str:
    head = "<th>Query</th>" + "".join(
        f'<th class="n" title="{escape(run.name, quote=True)}">{key(place)}{_number(evaluations, place) or escape(run.name)}</th>'
        for place, run in enumerate(evaluations)
    )
    columns = [run.values(measure) for run in evaluations]
    rows = [
        f"<tr><td>{escape(outcome.query)}</td>"
        + "".join(f'<td class="n">{column[place]:.3f}</td>' for column in columns)
        + "</tr>"
        for place, outcome in enumerate(evaluations[0].queries)
    ]
    return f"<details><summary>{escape(str(measure))} of {_queries(len(rows))}</summary>{_table(head, rows)}</details>"


def _names(names: Sequence[str], limit: int = 3) -> str:
    more = f"<br>… {len(names) - limit} more" if len(names) > limit else ""
    return "<br>".join(escape(name) for name in names[:limit]) + more


def _label(runs: Sequence[Evaluation], place: int) -> str:
    number = _number(runs, place)
    return f"{key(place)}{f'{number}&nbsp; ' if number else ''}{escape(runs[place].name)}"


def _number(runs: Sequence[Evaluation], place: int) -> str:
    """What a narrow column calls a run where there are many."""
    return str(place + 1) if len(runs) > MANY else ""


def _figure(chart: str, caption: str, *, wide: bool = False) -> str:
    return f"<figure{' class=wide' if wide else ''}>{chart}<figcaption>{caption}</figcaption></figure>"


def _table(head: str, rows: Sequence[str]) -> str:
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
