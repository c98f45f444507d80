"""Kept candidates to the final text and its units."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tamis.compress.arrange import arranged
from tamis.compress.forms import Group, render
from tamis.compress.forms.shown_paths import shown_paths
from tamis.compress.layout import GAP
from tamis.compress.values import Unit
from tamis.types import Lines, Span

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tamis.compress.units import Candidate
    from tamis.compress.values import CompressItem, Form, Order


@dataclass(frozen=True, slots=True)
class Body:
    """What is kept of one item: its text, and the candidates in it, in reading order."""

    text: str
    first: Candidate
    last: Candidate


@dataclass(frozen=True, slots=True)
class Assembler:
    """Writes bodies as one text."""

    items: Sequence[CompressItem]
    order: Order
    form: Form
    _shown: Mapping[str, str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_shown", shown_paths(item.path for item in self.items))

    def text(self, bodies: Mapping[int, Body]) -> str:
        groups = [self._group(indexes, bodies) for indexes in arranged(bodies, self.items, self.order)]
        return render(groups, self.form)

    def sequence(self, bodies: Mapping[int, Body]) -> list[int]:
        """The items in the order in which they stand in the text."""
        return [index for group in arranged(bodies, self.items, self.order) for index in group]

    def headers(self, index: int, count: int) -> str:
        """What the text has beside the bodies of so many items like this one, about."""
        item = self.items[index]
        lines = Lines(item.line, item.line + 99)
        return render([Group(index + 1, item, lines, "", self._shown_path(item))] * count, self.form)

    def _shown_path(self, item: CompressItem) -> str:
        return self._shown[item.path] if item.path else ""

    def _group(self, indexes: Sequence[int], bodies: Mapping[int, Body]) -> Group:
        text = bodies[indexes[0]].text
        for index in indexes[1:]:
            following = bodies[index].text
            if text.endswith(GAP) and following.startswith(GAP):
                following = following.removeprefix(GAP).lstrip()
            text = f"{text}\n{following}"
        lines = [lines_in(self.items[index], bodies[index].first, bodies[index].last) for index in indexes]
        return Group(
            number=min(indexes) + 1,
            item=self.items[indexes[0]],
            lines=Lines(min(each.first for each in lines), max(each.last for each in lines)),
            body=text,
            shown_path=self._shown_path(self.items[indexes[0]]),
        )


def lines_in(item: CompressItem, first: Candidate, last: Candidate) -> Lines:
    """First and last line in the document."""
    return Lines(item.line + first.line, item.line + last.line + last.text.count("\n"))


def unit_of(item: CompressItem, candidate: Candidate, content_hash: str, score: float | None = None) -> Unit:
    """A candidate as a unit, placed in its document."""
    return Unit(
        text=candidate.text,
        kind=candidate.kind,
        source=candidate.item,
        path=item.path,
        span=Span(item.start + candidate.span.start, item.start + candidate.span.end),
        lines=lines_in(item, candidate, candidate),
        heading_path=candidate.heading_path,
        content_hash=content_hash,
        score=score,
    )
