"""TREC qrels, and the query texts that they need beside them."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING, Final, cast

from tamis.errors import InputError
from tamis.evaluate.gold import GRADES, MAX_GRADE, Gold, GoldQuery, Target, shortened
from tamis.evaluate.lines import has_json_lines, json_of, lines_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

QUERY_FILES: Final = ("queries.jsonl", "queries.tsv", "topics.tsv")
SHAPE: Final = 'a line is {"_id": "1", "text": "..."}, or: id, tab, text'


def read_trec(path: Path, queries: Path | None) -> Gold:
    """Read lines ``query-id iteration document-id grade``; texts come from ``queries`` or a usual name beside it.

    Grades below 0 (TREC's spam) count as 0.

    Raises:
        InputError: A line is of another form, or a judged query has no text.
    """
    judged: dict[str, list[Target]] = {}
    for place, line in lines_of(path):
        fields = line.split()
        if len(fields) != 4:
            raise InputError(
                f"{place} has {len(fields)} fields", hint="a line is: query-id 0 document-id grade"
            )
        judged.setdefault(fields[0], []).append(Target(fields[2], grade(fields[3], place)))
    return gold_of(judged, query_texts(queries or _beside(path)))


def grade(text: str, place: str) -> int:
    """A judgement as a grade, one below 0 as 0.

    Raises:
        InputError: It is no whole number (``1.0`` is one), or too large.
    """
    try:
        value = float(text)
    except ValueError:
        value = nan
    if not value.is_integer() or value > MAX_GRADE:
        raise InputError(f"{place}: the grade is {shortened(repr(text))}", hint=GRADES)
    return max(0, int(value))


def gold_of(judged: Mapping[str, list[Target]], texts: Mapping[str, str]) -> Gold:
    """Join judgements and texts; raises ``InputError`` when a judged query has no text."""
    for identifier in judged:
        if not texts.get(identifier):
            raise InputError(
                f"query {shortened(repr(identifier))} is judged and has no text",
                hint="add it to the queries' file",
            )
    return Gold(
        tuple(GoldQuery(identifier, texts[identifier], tuple(found)) for identifier, found in judged.items())
    )


def query_texts(path: Path) -> dict[str, str]:
    """Texts by query id, from BEIR's ``queries.jsonl`` or from lines of id, tab, text.

    Raises:
        InputError: A line is of another form.
    """
    texts: dict[str, str] = {}
    parse = _jsonl if has_json_lines(path) else _tabbed
    for place, line in lines_of(path):
        identifier, text = parse(line, place)
        texts[identifier] = text.strip()
    return texts


def _jsonl(line: str, place: str) -> tuple[str, str]:
    record = json_of(line, place, SHAPE)
    if isinstance(record, dict):
        identifier, text = (cast("dict[str, object]", record).get(key) for key in ("_id", "text"))
        if isinstance(identifier, str | int) and isinstance(text, str):
            return str(identifier), text
    raise InputError(f"{place} is no query", hint=SHAPE)


def _tabbed(line: str, place: str) -> tuple[str, str]:
    identifier, tab, text = line.partition("\t")
    if not tab:
        raise InputError(f"{place} is no query", hint=SHAPE)
    return identifier, text


def _beside(path: Path) -> Path:
    for name in QUERY_FILES:
        if (path.parent / name).is_file():
            return path.parent / name
    raise InputError(
        f"{path.name} has judgements alone",
        hint=f"name the file of query texts, or put {QUERY_FILES[0]} beside it",
    )
