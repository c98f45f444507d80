"""From what a gold's targets are called to what they mean in the corpora that are searched."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from tamis.evaluate.gold import Gold, GoldQuery, Target
    from tamis.evaluate.presence import Meaning


def nearest(meanings: Iterable[Meaning]) -> set[Meaning]:
    """The meanings that are closest to what is written: a path as it stands before a name that ends like it, a heading as it
    is spelled before an anchor."""
    found = set(meanings)
    best = max((each.close for each in found), default=None)
    return {each for each in found if each.close == best}


def resolved(gold: Gold, meant: Mapping[Target, Collection[Meaning]]) -> Gold:
    """The gold with each target that means one thing spelled in full, so that two names of one file are one target; one that
    may mean several things is left as it is, and any of them meets it.

    A query that is at passage level for a target's name alone, ``c#.md``, is at document level once that names a file.
    """
    by_name = {target.name: found for target, found in meant.items()}

    def meaning(target: Target) -> Meaning | None:
        found = () if target.quoted else by_name.get(target.name, ())
        return next(iter(found)) if len(found) == 1 else None

    def spelled(query: GoldQuery) -> GoldQuery:
        known = [(target, meaning(target)) for target in query.targets]
        targets = tuple(replace(target, text=one.text) if one else target for target, one in known)
        passage = any(one.level == "passage" if one else target.of_passage for target, one in known)
        level = query.level if query.level is None or passage else "document"
        return replace(query, targets=targets, level=level)

    return replace(gold, queries=tuple(map(spelled, gold.queries)))
