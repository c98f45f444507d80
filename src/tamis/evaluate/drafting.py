"""From searches that were made to a gold file to be finished by hand."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

CANDIDATES: Final = 10


@dataclass(frozen=True, slots=True)
class LoggedSearch:
    """A search that was made, and the names (``path#heading``) of what it found, best first."""

    query: str
    results: tuple[str, ...]


def read_search_log(log: Path, told: Callable[[str], None] = lambda _: None) -> list[LoggedSearch]:
    """The searches of a log, oldest first.

    Args:
        told: Called with a warning for each line that is passed over because it is no search; one torn at the end, which
            a search that was cut off leaves, is passed over in silence.
    """
    lines = log.read_bytes().split(b"\n")
    searches: list[LoggedSearch] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            searches.append(_search(line))
        except (ValueError, KeyError, TypeError):
            if number < len(lines):
                told(f"{log}:{number} is no logged search and was passed over")
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
            ensure_ascii=not _writable(query, *candidates),
        )
        + "\n"
        for query, candidates, _ in often_first
    )


def _search(line: bytes) -> LoggedSearch:
    record = json.loads(line.decode())
    query, results = record["query"], record["results"]
    if not isinstance(query, str) or not isinstance(results, list):
        raise TypeError(line)
    return LoggedSearch(query, tuple(map(str, cast("list[object]", results))))


def _writable(*texts: str) -> bool:
    """Whether all can be written as they are: a lone surrogate, of a file name that is no text, cannot."""
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        return False
    return True
