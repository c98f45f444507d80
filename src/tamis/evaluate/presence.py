"""Which targets there are at all: one that is in no corpus can only count as not found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tamis.evaluate.matching import anchor, names_of, plain, plain_name

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from tamis.evaluate.gold import Gold, Target


@dataclass(frozen=True, slots=True)
class Held:
    """What a corpus holds of one document: its path, its passages' ids, the headings over them, and its whole text.

    All but the path may be left out where ``needs_passages`` says so.
    """

    path: str
    ids: Collection[str] = ()
    headings: Collection[str] = ()
    text: str = ""


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

    A quotation is there when a document holds its first or its last half in one piece, so that it may have been cut.
    """
    wanted = list(targets)
    names: dict[str, set[int]] = {}
    headings: dict[str, set[tuple[str, int]]] = {}
    halves: dict[str, list[tuple[str, int]]] = {}
    for index, target in enumerate(wanted):
        if target.quoted:
            for half in _halves(target.text):
                halves.setdefault(_probe(half), []).append((half, index))
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
        if halves and document.text:
            text = plain(document.text)
            looked_for = {"", *(halves.keys() & text.split())}
            asked = (each for word in looked_for for each in halves.get(word, ()))
            left -= {index for half, index in asked if index in left and half in text}
    return [wanted[index] for index in sorted(left)]


def _halves(quotation: str) -> list[str]:
    wanted = plain(quotation)
    half = (len(wanted) + 1) // 2
    return list(filter(None, (wanted[:half], wanted[len(wanted) - half :])))


def _probe(half: str) -> str:
    """The longest whole word: a text without it need not be searched. Empty for a half that is too short to have one."""
    return max(half.split()[1:-1], key=len, default="")
