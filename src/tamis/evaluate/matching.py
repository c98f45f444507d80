"""Which target a result meets."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING

from tamis.evaluate.quoting import Passage, plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tamis.evaluate.gold import GoldQuery, Level, Target
    from tamis.types import Hit


def judged_ranking(results: Iterable[str | Hit], query: GoldQuery, level: Level) -> list[int | None]:
    """For each result that counts, best first: the index of the query's target that it meets, or ``None``.

    A result that meets several targets takes the one of the highest grade that no better result has taken. A result
    that only repeats does not count and is left out: one that meets taken targets alone, the same result twice and, at
    document level, a further passage of a document that met nothing.
    """
    judged: list[int | None] = []
    taken: set[int] = set()
    missed: set[str] = set()
    by_grade = sorted(range(len(query.targets)), key=lambda index: -query.targets[index].grade)
    for result in results:
        met = [index for index in by_grade if meets(result, query.targets[index])]
        free = [index for index in met if index not in taken]
        if free:
            taken.add(free[0])
            judged.append(free[0])
        elif not met and (unit := _unit(result, level)) not in missed:
            missed.add(unit)
            judged.append(None)
    return judged


def meets(result: str | Hit, target: Target) -> bool:
    """Whether a result is what a target names.

    A string meets the target of the same text. A hit meets its id; its path, whole, from any folder on, or the file's
    name without its ending (a test collection's ids become file names); such a path with ``#`` and one of its headings
    (spelled out or as a link's anchor); and a quotation that its text holds (see ``Passage.holds``).
    """
    if isinstance(result, str):
        return not target.quoted and result == target.text
    if target.quoted:
        return Passage(result.text).holds(plain(target.text))
    if target.text == result.id or _names(result.path, target.text):
        return True
    path, mark, heading = target.text.rpartition("#")
    return bool(mark) and _names(result.path, path) and anchor(heading) in map(anchor, result.heading_path)


def _unit(result: str | Hit, level: Level) -> str:
    if isinstance(result, str):
        return result
    return result.path if level == "document" else result.id


def names_of(path: str) -> set[str]:
    """All that a file may be called by, as ``plain_name`` spells it: its path, whole or from any folder on, and its stem."""
    slashed = _slashed(path)
    parts = slashed.split("/")
    tails = {"/".join(parts[start:]) for start in range(len(parts))}
    return {slashed, *tails, PurePath(slashed).stem} - {""}


def plain_name(name: str) -> str:
    """A target's name of a file, in one spelling on every system."""
    return _slashed(name).removeprefix("./")


def anchor(heading: str) -> str:
    """A heading as a link's anchor has it."""
    return "-".join(re.findall(r"\w+", heading.casefold()))


def _names(path: str, name: str) -> bool:
    slashed, wanted = _slashed(path), plain_name(name)
    if not wanted:
        return False
    return slashed == wanted or slashed.endswith("/" + wanted) or PurePath(slashed).stem == wanted


def _slashed(path: str) -> str:
    return path.replace("\\", "/")
