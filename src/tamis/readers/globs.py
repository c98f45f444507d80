"""The glob language of ``include``, ``exclude`` and the path filter of a search.

==========  ====================================================================================
``?``       one character of a name
``*``       any characters of a name, also none
``**``      as a whole segment: any number of segments, also none (but ``a/**`` is not ``a``)
==========  ====================================================================================

Everything else stands for itself, brackets and braces too. ``/`` and ``\\`` are the same separator, in patterns and in
paths; doubled and trailing separators and ``.`` segments in a pattern are dropped. Letter case counts. A leading dot is
a character like any other: ``*`` matches ``.git``. These are minimatch's rules with ``dot`` on and without braces,
classes and negation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

_SEPARATOR = r"[/\\]"
_CHARACTER = r"[^/\\]"
_PIECE = re.compile(r"\*+|\?|[^*?]+")


def compile_glob(pattern: str) -> Callable[[str], bool]:
    """The test whether ``pattern`` matches a whole path; takes linear to quadratic time, whatever the pattern."""
    fullmatch = re.compile(_translate(pattern), re.DOTALL).fullmatch
    return lambda path: fullmatch(path) is not None


def segment(pieces: Iterable[str], character: str) -> str:
    """The regular expression of one path segment.

    ``pieces`` are runs of stars and expressions of fixed width; ``character`` is the expression of any one character of
    a name. What stands between two stars may be taken where it first occurs, for good: an atomic group, without which
    ``*a*a*a*a*b`` takes forever. Stars alone are no segment without a name.
    """
    parts = [""]
    for piece in pieces:
        if piece.startswith("*"):
            parts.append("")
        else:
            parts[-1] += piece
    head, *rest = parts
    if not rest:
        return head
    if not any(parts):
        return f"{character}+"
    *middle, tail = rest
    first = "".join(f"(?>{character}*?{part})" for part in middle if part)
    return f"{head}{first}{character}*{tail}"


def join_groups(groups: Sequence[Sequence[str]], separator: str, character: str) -> str:
    """The regular expression of a path from what stands before, between and after its ``**``.

    Each group is a run of segments' expressions. A group between two ``**`` is taken where it first occurs, as in
    ``segment``.
    """
    first, *rest = (separator.join(group) for group in groups)
    if not rest:
        return first
    *middle, last = rest
    head = f"{first}{separator}" if groups[0] else ""
    inner = "".join(f"(?>(?:{character}*{separator})*?{part}{separator})" for part in middle if part)
    return f"{head}{inner}" + (f"(?:.*{separator})?{last}" if last else ".+")


def _translate(pattern: str) -> str:
    groups: list[list[str]] = [[]]
    path = pattern.replace("\\", "/")
    for name in path.split("/"):
        if name == "**":
            groups.append([])
        elif name not in ("", "."):
            groups[-1].append(segment(_pieces(name), _CHARACTER))
    expression = join_groups(groups, _SEPARATOR, _CHARACTER)
    return f"{_SEPARATOR}{expression}" if path.startswith("/") else expression


def _pieces(name: str) -> Iterator[str]:
    for piece in _PIECE.findall(name):
        if piece.startswith("*"):
            yield piece
        else:
            yield _CHARACTER if piece == "?" else re.escape(piece)
