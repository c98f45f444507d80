"""The lines of a gold's files, and JSON on them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from tamis.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

JSON_LINES: Final = frozenset({".jsonl", ".ndjson"})


def has_json_lines(path: Path) -> bool:
    """Whether a file says by its ending that its lines are JSON."""
    return path.suffix.casefold() in JSON_LINES


def lines_of(path: Path) -> Iterator[tuple[str, str]]:
    """Each line that is not blank, after its place (``gold.jsonl:7``). A byte order mark is none of the first."""
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").split("\n"), 1):
        if line.strip():
            yield f"{path.name}:{number}", line


def json_of(line: str, place: str, shape: str) -> object:
    """What a line says; raises ``InputError``, with the shape of a line for a hint, when it is not JSON."""
    try:
        return json.loads(line)
    except ValueError as error:
        raise InputError(f"{place} is not JSON: {error}", hint=shape) from error
    except RecursionError as error:
        raise InputError(f"{place} is nested too deeply", hint=shape) from error
