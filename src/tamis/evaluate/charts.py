"""Plots as inline SVG: no script, nothing from a network, colours from the page's style."""

from __future__ import annotations

from html import escape
from math import ceil, log10
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH: Final = 480
WIDE: Final = 1000
"""So wide that letters have the same size in a chart of half the page and in one of the whole."""
HEIGHT: Final = 280
LEFT: Final = 44
RIGHT: Final = 26
TOP: Final = 16
BOTTOM: Final = 36
TOGETHER: Final = 1.5
"""Curves that are nearer than this cover each other."""
SAME: Final = 1e-9
"""Differences below this are rounding."""
DASH: Final = 7
ASIDE: Final = 5
SHAPES: Final = (
    "M-3.2,0a3.2,3.2 0 1,0 6.4,0a3.2,3.2 0 1,0 -6.4,0Z",
    "M-2.9,-2.9H2.9V2.9H-2.9Z",
    "M0,-3.8L3.7,2.8H-3.7Z",
    "M0,-4.1L4.1,0L0,4.1L-4.1,0Z",
)
"""Circle, square, triangle, diamond: with the colours, 32 marks that differ."""
GRID: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def line_chart(
    cutoffs: Sequence[int],
    curves: Sequence[tuple[str, Sequence[float]]],
    *,
    x_label: str,
    y_label: str,
    width: int = WIDTH,
) -> str:
    """Curves, each with its name, over cutoffs on a logarithmic axis; values from 0 to 1.

    No curve hides another: where some run together, they take turns in dashes, and their marks stand side by side.
    """
    span = log10(cutoffs[-1] / cutoffs[0]) if len(cutoffs) > 1 else 1.0
    xs = [LEFT + (width - LEFT - RIGHT) * log10(cutoff / cutoffs[0]) / span for cutoff in cutoffs]
    parts = [_grid_line(_y(value, 0, 1), f"{value:.1f}", width) for value in GRID]
    parts += [
        _text(x, HEIGHT - BOTTOM + 16, str(cutoff), "middle") for x, cutoff in zip(xs, cutoffs, strict=True)
    ]
    parts.append(_text((LEFT + width - RIGHT) / 2, HEIGHT - 4, x_label, "middle"))
    heights = [[_y(value, 0, 1) for value in values] for _, values in curves]
    for place in range(1, len(cutoffs)):
        for together in _together([(each[place - 1], each[place]) for each in heights]):
            for turn, series in enumerate(together):
                ends = (xs[place - 1], heights[series][place - 1], xs[place], heights[series][place])
                parts.append(_segment(ends, series, turn, len(together)))
    for place, (x, cutoff) in enumerate(zip(xs, cutoffs, strict=True)):
        for together in _together([(each[place],) for each in heights]):
            for turn, series in enumerate(together):
                name, values = curves[series]
                title = f"<title>{escape(name)}: {values[place]:.3f} at {cutoff}</title>"
                aside = (turn - (len(together) - 1) / 2) * ASIDE
                parts.append(_mark(x + aside, heights[series][place], series, title))
    return _svg(f"{y_label} by {x_label}", parts, width)


def difference_chart(differences: Sequence[tuple[str, float]], *, label: str) -> str:
    """A bar for each query, the greatest gain first; bars above the line are wins."""
    ordered = sorted(differences, key=lambda entry: -entry[1])
    reach, digits = _reach(max((abs(value) for _, value in ordered), default=0))
    width = (WIDTH - LEFT - RIGHT) / max(1, len(ordered))
    zero = _y(0, -reach, reach)
    parts = [
        _grid_line(_y(value, -reach, reach), f"{value:+.{digits}f}" if value else "0")
        for value in (-reach, -reach / 2, 0, reach / 2, reach)
    ]
    for place, (query, value) in enumerate(ordered):
        top, height = min(zero, _y(value, -reach, reach)), abs(zero - _y(value, -reach, reach))
        if height > 0:
            parts.append(
                f'<rect class="{"win" if value > 0 else "loss"}" x="{LEFT + place * width:.2f}" y="{top:.1f}" '
                f'width="{max(width * 0.86, 0.6):.2f}" height="{height:.1f}">'
                f"<title>{value:+.3f}  {escape(query)}</title></rect>"
            )
    parts.append(
        _text(
            (LEFT + WIDTH - RIGHT) / 2,
            HEIGHT - 10,
            f"{len(ordered)} {'query' if len(ordered) == 1 else 'queries'}, best gain first",
            "middle",
        )
    )
    return _svg(label, parts)


def bar(value: float, series: int) -> str:
    """A small horizontal bar for a table's cell; ``value`` from 0 to 1."""
    return (
        '<svg class="cellbar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="track" width="100" height="8"/><rect class="fill s{series % 8}" '
        f'width="{100 * min(1.0, max(0.0, value)):.1f}" height="8"/></svg>'
    )


def key(series: int) -> str:
    """The mark of a series, for a legend."""
    return f'<svg class="key" viewBox="-5 -5 10 10" aria-hidden="true">{_mark(0, 0, series)}</svg>'


def _reach(greatest: float) -> tuple[float, int]:
    """Where an axis ends that shows values up to ``greatest``, and the decimals that its end and its half take.

    The end has one even digit, so that its half has as many decimals.
    """
    if greatest < SAME:
        return 1.0, 1
    digits = 1 - ceil(log10(greatest) - SAME)
    step = 2 * 10.0**-digits
    return step * ceil(greatest / step - SAME), max(0, digits)


def _together(heights: Sequence[tuple[float, ...]]) -> list[list[int]]:
    """The series, grouped by those that would cover each other."""
    groups: list[list[int]] = []
    for series in sorted(range(len(heights)), key=heights.__getitem__):
        last = heights[groups[-1][-1]] if groups else ()
        near = all(abs(a - b) <= TOGETHER for a, b in zip(last, heights[series], strict=False))
        if last and near:
            groups[-1].append(series)
        else:
            groups.append([series])
    return [sorted(group) for group in groups]


def _segment(ends: tuple[float, float, float, float], series: int, turn: int, turns: int) -> str:
    """A piece of a curve; of ``turns`` that run together each shows every so many dashes."""
    x1, y1, x2, y2 = ends
    dashes = (
        f' stroke-dasharray="{DASH} {DASH * (turns - 1)}" stroke-dashoffset="{-DASH * turn}"'
        if turns > 1
        else ""
    )
    return (
        f'<line class="line s{series % 8}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"{dashes}/>'
    )


def _mark(x: float, y: float, series: int, title: str = "") -> str:
    shape = SHAPES[(series + series // 8) % len(SHAPES)]
    return (
        f'<path class="dot s{series % 8}" transform="translate({x:.1f},{y:.1f})" d="{shape}">{title}</path>'
    )


def _y(value: float, low: float, high: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low)


def _grid_line(y: float, label: str, width: int = WIDTH) -> str:
    return f'<line class="grid" x1="{LEFT}" x2="{width - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>' + _text(
        LEFT - 6, y + 4, label, "end"
    )


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(label: str, parts: Sequence[str], width: int = WIDTH) -> str:
    return (
        f'<svg class="chart" viewBox="0 0 {width} {HEIGHT}" role="img" aria-label="{escape(label, quote=True)}">'
        + "".join(parts)
        + "</svg>"
    )
