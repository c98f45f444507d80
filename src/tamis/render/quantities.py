"""Numbers as people read them."""

from __future__ import annotations

_STEPS = ("k", "M", "G", "T", "P")


def count(number: int, noun: str, plural: str | None = None) -> str:
    """A number of things: ``1 file``, ``12,042 chunks``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def scaled(number: float) -> str:
    """About how many, with decimal prefixes: ``812``, ``9.1 M``."""
    step = -1
    while number >= 999.5 and step < len(_STEPS) - 1:
        number, step = number / 1000, step + 1
    if step < 0:
        return f"{number:.0f}"
    return f"{number:.1f} {_STEPS[step]}" if number < 9.95 else f"{number:.0f} {_STEPS[step]}"


def size(octets: int) -> str:
    """Bytes with decimal prefixes: ``412 B``, ``41 MB``."""
    text = scaled(octets)
    return f"{text}B" if " " in text else f"{text} B"


def duration(milliseconds: float) -> str:
    """``12 ms``, ``3.4 s``, ``2 min 05 s``, ``1 h 02 min``."""
    if milliseconds < 999.5:
        return f"{milliseconds:.0f} ms"
    seconds = milliseconds / 1000
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    return f"{minutes // 60} h {minutes % 60:02d} min"


def share(part: float) -> str:
    """A share as a percentage; 100% and 0% are said of all and of none only."""
    if 0 < part < 1:
        return f"{min(99, max(1, round(part * 100)))}%"
    return f"{part:.0%}"


def ago(seconds: float) -> str:
    """How long ago, in the largest unit that fits."""
    for limit, divisor, noun in ((60, 1, ""), (3600, 60, "minute"), (86_400, 3600, "hour")):
        if seconds < limit:
            return f"{count(int(seconds // divisor), noun)} ago" if noun else "just now"
    return f"{count(int(seconds // 86_400), 'day')} ago"
