"""TREC qrels, and the query texts that they need beside them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from tamis.errors import InputError
from tamis.evaluate.gold import Gold, GoldQuery, Target

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

QUERY_FILES: Final = ("queries.jsonl", "queries.tsv", "topics.tsv")


def read_trec(path: Path, queries: Path | None) -> Gold:
    """Read lines ``query-id iteration document-id grade``; texts come from ``queries`` or a usual name beside it.

    Grades below 0 (TREC's spam) count as 0.

    Raises:
        InputError: A line is of another form, or a judged query has no text.
    """
    judged: dict[str, list[Target]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != 4:
            raise InputError(
                f"{path.name}:{number} has {len(fields)} fields",
                hint="a line is: query-id 0 document-id grade",
            )
        judged.setdefault(fields[0], []).append(Target(fields[2], grade(fields[3], f"{path.name}:{number}")))
    return gold_of(judged, query_texts(queries or _beside(path)))


def grade(text: str, place: str) -> int:
    """A judgement as a grade; raises ``InputError`` when it is no number."""
    try:
        return max(0, int(float(text)))
    except (ValueError, OverflowError) as error:
        raise InputError(f"{place}: the grade is {text!r}", hint="a grade is a whole number") from error


def gold_of(judged: Mapping[str, list[Target]], texts: Mapping[str, str]) -> Gold:
    """Join judgements and texts; raises ``InputError`` when a judged query has no text."""
    for identifier in judged:
        if identifier not in texts:
            raise InputError(
                f"query {identifier!r} is judged and has no text", hint="add it to the queries' file"
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
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not line.strip():
            continue
        try:
            identifier, text = _jsonl(line) if path.suffix == ".jsonl" else line.split("\t", 1)
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{path.name}:{number} is no query",
                hint='a line is {"_id": "1", "text": "..."}, or: id, tab, text',
            ) from error
        texts[identifier] = text.strip()
    return texts


def _jsonl(line: str) -> tuple[str, str]:
    record: dict[str, Any] = json.loads(line)
    return str(record["_id"]), str(record["text"])


def _beside(path: Path) -> Path:
    for name in QUERY_FILES:
        if (path.parent / name).is_file():
            return path.parent / name
    raise InputError(
        f"{path.name} has judgements alone",
        hint=f"name the file of query texts, or put {QUERY_FILES[0]} beside it",
    )
