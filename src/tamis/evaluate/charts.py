"""Plots as inline SVG: no script, nothing from a network, colours from the page's style."""

from __future__ import annotations

from html import escape
from math import log10
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WIDTH: Final = 640
HEIGHT: Final = 300
LEFT: Final = 44
RIGHT: Final = 16
TOP: Final = 16
BOTTOM: Final = 36
GRID: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def line_chart(
    cutoffs: Sequence[int], curves: Mapping[str, Sequence[float]], *, x_label: str, y_label: str
) -> str:
    """Curves over cutoffs on a logarithmic axis; values from 0 to 1."""
    span = log10(cutoffs[-1] / cutoffs[0]) if len(cutoffs) > 1 else 1.0

    def x(cutoff: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * log10(cutoff / cutoffs[0]) / span

    parts = [_grid_line(_y(value, 0, 1), f"{value:.1f}") for value in GRID]
    parts += [_text(x(cutoff), HEIGHT - BOTTOM + 16, str(cutoff), "middle") for cutoff in cutoffs]
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 4, x_label, "middle"))
    for series, (name, values) in enumerate(curves.items()):
        points = [(x(cutoff), _y(value, 0, 1)) for cutoff, value in zip(cutoffs, values, strict=True)]
        path = " ".join(f"{px:.1f},{py:.1f}" for px, py in points)
        parts.append(f'<polyline class="line s{series % 8}" points="{path}"/>')
        parts += [
            f'<circle class="dot s{series % 8}" cx="{px:.1f}" cy="{py:.1f}" r="3">'
            f"<title>{escape(name)}: {value:.3f} at {cutoff}</title></circle>"
            for (px, py), value, cutoff in zip(points, values, cutoffs, strict=True)
        ]
    return _svg(f"{y_label} by {x_label}", parts)


def difference_chart(differences: Sequence[tuple[str, float]], *, label: str) -> str:
    """A bar for each query, the greatest gain first; bars above the line are wins."""
    ordered = sorted(differences, key=lambda entry: -entry[1])
    reach = max((abs(value) for _, value in ordered), default=0) or 1.0
    width = (WIDTH - LEFT - RIGHT) / max(1, len(ordered))
    zero = _y(0, -reach, reach)
    parts = [
        _grid_line(_y(value, -reach, reach), f"{value:+.2f}")
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
        _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, f"{len(ordered)} queries, best gain first", "middle")
    )
    return _svg(label, parts)


def bar(value: float, series: int) -> str:
    """A small horizontal bar for a table's cell; ``value`` from 0 to 1."""
    return (
        '<svg class="cellbar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="track" width="100" height="8"/><rect class="fill s{series % 8}" '
        f'width="{100 * min(1.0, max(0.0, value)):.1f}" height="8"/></svg>'
    )


def _y(value: float, low: float, high: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low)


def _grid_line(y: float, label: str) -> str:
    return f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>' + _text(
        LEFT - 6, y + 4, label, "end"
    )


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(label: str, parts: Sequence[str]) -> str:
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label, quote=True)}">'
        + "".join(parts)
        + "</svg>"
    )
