"""Which targets there are at all: one that is in no corpus can only count as not found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from tamis.evaluate.naming import headed_names, is_anchor, is_heading, names_of, plain_name
from tamis.evaluate.quoting import Passage, plain

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from tamis.evaluate.gold import Gold, Level, Target

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Held:
    """What a corpus holds of one document: its path, its passages' ids, the headings over them, its whole text, the passages
    that it is cut into, and its path in the folder that was indexed.

    All but the paths may be left out where ``needs_passages`` says so.
    """

    path: str
    ids: Collection[str] = ()
    headings: Collection[str] = ()
    text: str = ""
    passages: Collection[str] = ()
    relative: str = ""


@dataclass(frozen=True, slots=True)
class Meaning:
    """Something that a target may mean, spelled in full, and whether that is a document or less.

    ``close``: whether the path is the target's as it stands, and whether the heading is.
    """

    text: str
    level: Level
    close: tuple[bool, bool] = (True, True)


def relevant_targets(gold: Gold) -> list[Target]:
    """What ought to be found, each once, whatever its grade for each query."""
    return list({target.name: target for query in gold.queries for target in query.relevant}.values())


def needs_passages(targets: Iterable[Target]) -> bool:
    """Whether some target is more than a path."""
    return any(target.of_passage for target in targets)


def absent(targets: Iterable[Target], documents: Iterable[Held]) -> list[Target]:
    """The targets that nothing in the documents can meet, in their order.

    A quotation is there when a document's text holds it, or one of its passages does as ``meets`` asks: what is absent is
    never found.
    """
    wanted = list(targets)
    found = meanings(wanted, documents)
    return [target for target in wanted if not found[target]]


def meanings(targets: Iterable[Target], documents: Iterable[Held]) -> dict[Target, set[Meaning]]:
    """What each target may mean among the documents. Of a quotation one document that holds it is enough."""
    found: dict[Target, set[Meaning]] = {target: set() for target in targets}
    names, sections = _named(target for target in found if not target.quoted)
    ids = _grouped((target.text, target) for target in found if not target.quoted)
    quotations = _grouped((plain(target.text), target) for target in found if target.quoted)
    for document in documents:
        own = {plain_name(document.path), plain_name(document.relative)}
        for name in names_of(document.path):
            for target in names.get(name, ()):
                found[target].add(Meaning(document.path, "document", (name in own, True)))
            for heading, target in sections.get(name, ()):
                found[target].update(_sections(document, heading, exact=name in own))
        for text in ids.keys() & document.ids:
            for target in ids[text]:
                found[target].add(Meaning(text, "passage"))
        for quotation in _held(quotations, document):
            for target in quotations.pop(quotation):
                found[target].add(Meaning(document.path, "passage"))
    return found


def _named(
    targets: Iterable[Target],
) -> tuple[dict[str, list[Target]], dict[str, list[tuple[str, Target]]]]:
    """Targets by the file that they may name, and, with a heading, by the file that this may be in."""
    known = list(targets)
    return (
        _grouped((plain_name(target.text), target) for target in known),
        _grouped(
            (file, (heading, target)) for target in known for file, heading in headed_names(target.text)
        ),
    )


def _grouped(pairs: Iterable[tuple[str, _T]]) -> dict[str, list[_T]]:
    grouped: dict[str, list[_T]] = {}
    for key, value in pairs:
        grouped.setdefault(key, []).append(value)
    return grouped


def _sections(document: Held, name: str, *, exact: bool) -> Iterator[Meaning]:
    for heading in document.headings:
        if (spelled := is_heading(name, heading)) or is_anchor(name, heading):
            yield Meaning(f"{document.path}#{heading}", "passage", (exact, spelled))


def _held(quotations: Collection[str], document: Held) -> list[str]:
    """The quotations that a document holds."""
    if not quotations:
        return []
    texts = [Passage(text) for text in (document.text, *document.passages)]
    return [quotation for quotation in quotations if any(text.holds(quotation) for text in texts)]
