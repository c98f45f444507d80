"""Which targets there are at all: one that is in no corpus can only count as not found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tamis.evaluate.matching import anchor, names_of, plain_name
from tamis.evaluate.quoting import Passage, plain

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from tamis.evaluate.gold import Gold, Target


@dataclass(frozen=True, slots=True)
class Held:
    """What a corpus holds of one document: its path, its passages' ids, the headings over them, its whole text, and the
    passages that it is cut into.

    All but the path may be left out where ``needs_passages`` says so.
    """

    path: str
    ids: Collection[str] = ()
    headings: Collection[str] = ()
    text: str = ""
    passages: Collection[str] = ()


def relevant_targets(gold: Gold) -> list[Target]:
    """What ought to be found, each once, whatever its grade for each query."""
    return list(
        {(target.text, target.quoted): target for query in gold.queries for target in query.relevant}.values()
    )


def needs_passages(targets: Iterable[Target]) -> bool:
    """Whether some target is more than a path."""
    return any(target.quoted or "#" in target.text or ":" in target.text for target in targets)


def absent(targets: Iterable[Target], documents: Iterable[Held]) -> list[Target]:
    """The targets that nothing in the documents can meet, in their order.

    A quotation is there when a document's text holds it, or one of its passages does as ``meets`` asks: what is absent is
    never found.
    """
    wanted = list(targets)
    names: dict[str, set[int]] = {}
    headings: dict[str, set[tuple[str, int]]] = {}
    quotations: dict[str, list[int]] = {}
    for index, target in enumerate(wanted):
        if target.quoted:
            quotations.setdefault(plain(target.text), []).append(index)
            continue
        names.setdefault(plain_name(target.text), set()).add(index)
        path, mark, heading = target.text.rpartition("#")
        if mark:
            headings.setdefault(plain_name(path), set()).add((anchor(heading), index))
    left = set(range(len(wanted)))
    for document in documents:
        if not left:
            break
        known = names_of(document.path)
        left.difference_update(*(names.get(name, ()) for name in (*known, *document.ids)))
        if under := {each for name in known for each in headings.get(name, ())}:
            anchors = set(map(anchor, document.headings))
            left -= {index for heading, index in under if heading in anchors}
        for quotation in _held(quotations, document):
            left.difference_update(quotations.pop(quotation))
    return [wanted[index] for index in sorted(left)]


def _held(quotations: Collection[str], document: Held) -> list[str]:
    """The quotations that a document holds."""
    if not quotations:
        return []
    texts = [Passage(text) for text in (document.text, *document.passages)]
    return [quotation for quotation in quotations if any(text.holds(quotation) for text in texts)]
