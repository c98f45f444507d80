"""The gold that people write by hand: one JSON object a line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, cast

from tamis.errors import InputError
from tamis.evaluate.gold import Gold, GoldQuery, Target

if TYPE_CHECKING:
    from pathlib import Path

    from tamis.evaluate.gold import Level

QUOTES: Final = (('"', '"'), ("“", "”"), ("«", "»"))
SHAPE: Final = 'a line is {"query": "...", "relevant": ["notes/a.md", "notes/b.md#Heading", "\\"words of the answer\\""]}'


def read_jsonl(path: Path) -> Gold:
    """Read lines of ``query``, ``relevant``, and optionally ``grade`` (1 when left out) and ``id`` (the line's number).

    Lines with the same query add up, so that its targets can have different grades. A relevant in quotes is a
    quotation. Further keys are ignored; so are blank lines. A query is at document level when each of its targets is a
    plain name, at passage level as soon as one is a quotation or a chunk's id or has a ``#``, whatever other lines have.

    Raises:
        InputError: A line is not such an object, or two queries have one id.
    """
    targets: dict[str, list[Target]] = {}
    ids: dict[str, str] = {}
    places: dict[str, tuple[int, str]] = {}
    first: dict[str, int] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not line.strip():
            continue
        record = _record(line, f"{path.name}:{number}")
        query = record["query"]
        first.setdefault(query, number)
        if "id" in record:
            identifier = str(record["id"])
            other, text = places.setdefault(identifier, (number, query))
            if text != query:
                raise InputError(
                    f"{path.name}:{other} and {path.name}:{number} have the id {identifier!r} for different queries",
                    hint="give each query an id of its own",
                )
            ids.setdefault(query, identifier)
        targets.setdefault(query, []).extend(
            _target(text, record.get("grade", 1)) for text in record["relevant"]
        )
    for query, number in first.items():
        identifier = str(number)
        while identifier in places:  # a line has it for its own
            identifier = f"line {identifier}"
        ids.setdefault(query, identifier)
    return Gold(tuple(_query(ids[query], query, found) for query, found in targets.items()))


def _query(identifier: str, text: str, targets: list[Target]) -> GoldQuery:
    level: Level | None = "passage" if any(target.of_passage for target in targets) else None
    return GoldQuery(identifier, text, tuple(targets), level)


def _record(line: str, place: str) -> dict[str, Any]:
    try:
        value: object = json.loads(line)
    except ValueError as error:
        raise InputError(f"{place} is not JSON: {error}", hint=SHAPE) from error
    if not isinstance(value, dict):
        raise InputError(f"{place} is not an object", hint=SHAPE)
    record = cast("dict[str, Any]", value)
    query, relevant, grade = record.get("query"), record.get("relevant"), record.get("grade", 1)
    if not isinstance(query, str) or not query.strip():
        raise InputError(f"{place} has no query", hint=SHAPE)
    if not isinstance(relevant, list) or not all(
        isinstance(text, str) and text for text in cast("list[object]", relevant)
    ):
        raise InputError(f"{place}: relevant is not a list of texts", hint=SHAPE)
    if isinstance(grade, bool) or not isinstance(grade, int) or grade < 0:
        raise InputError(f"{place}: grade is {grade!r}", hint="a grade is a whole number, 0 or more")
    identifier: object = record.get("id", 1)
    if isinstance(identifier, bool) or not isinstance(identifier, str | int) or identifier == "":
        raise InputError(f"{place}: id is {identifier!r}", hint="an id is a text or a whole number")
    return record


def _target(text: str, grade: int) -> Target:
    for opening, closing in QUOTES:
        if len(text) > len(opening + closing) and text.startswith(opening) and text.endswith(closing):
            return Target(text[1:-1], grade, quoted=True)
    return Target(text, grade)
