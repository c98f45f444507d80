"""From searches that were made to a gold file to be finished by hand."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tamis.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tamis.types import Hit

CANDIDATES: Final = 10


@dataclass(frozen=True, slots=True)
class LoggedSearch:
    """A search that was made, and the names (``path#heading``) of what it found, best first."""

    query: str
    results: tuple[str, ...]


def log_search(log: Path, query: str, hits: Iterable[Hit]) -> None:
    """Append a search to a log, one JSON line. Queries are private: whoever calls this was asked to."""
    results = [_name(hit) for hit in hits][:CANDIDATES]
    line = json.dumps({"query": query, "results": results}, ensure_ascii=False)
    with log.open("a", encoding="utf-8") as file:
        file.write(line + "\n")


def read_search_log(log: Path) -> list[LoggedSearch]:
    """The searches of a log, oldest first.

    Raises:
        InputError: A line is none; one torn at the end of the log is passed over.
    """
    lines = log.read_text(encoding="utf-8").split("\n")
    searches: list[LoggedSearch] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            searches.append(LoggedSearch(str(record["query"]), tuple(map(str, record["results"]))))
        except (ValueError, KeyError, TypeError) as error:
            if number == len(lines):
                break
            raise InputError(f"{log.name}:{number} is no logged search", hint="delete the line") from error
    return searches


def make_gold(searches: Iterable[LoggedSearch]) -> str:
    """Draft a gold file: JSONL, one line for each query asked, the most often asked first.

    ``relevant`` starts as the best result; ``candidates`` (which reading ignores) lists all that was found, for a
    person to move over what answers and to strike what does not.
    """
    asked: dict[str, tuple[str, list[str], int]] = {}
    for search in searches:
        key = " ".join(search.query.casefold().split())
        if not key:
            continue
        query, candidates, count = asked.get(key, (search.query, [], 0))
        candidates.extend(name for name in search.results if name not in candidates)
        asked[key] = query, candidates, count + 1
    often_first = sorted(asked.values(), key=lambda entry: -entry[2])
    return "".join(
        json.dumps(
            {"query": query, "relevant": candidates[:1], "candidates": candidates[:CANDIDATES]},
            ensure_ascii=False,
        )
        + "\n"
        for query, candidates, _ in often_first
    )


def _name(hit: Hit) -> str:
    return "#".join((hit.path, *hit.heading_path[-1:]))
