"""Open a gold, whichever of its formats it is in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tamis.errors import InputError, SourceError
from tamis.evaluate.beir import read_beir
from tamis.evaluate.jsonl import read_jsonl
from tamis.evaluate.lines import has_json_lines
from tamis.evaluate.trec import read_trec

if TYPE_CHECKING:
    from tamis.evaluate.gold import Gold


def read_gold(path: str | Path, *, queries: str | Path | None = None) -> Gold:
    """Read judged queries.

    - A folder is a BEIR set: ``queries.jsonl`` and ``qrels.tsv`` or ``qrels/test.tsv``.
    - A file ending in ``.jsonl`` or ``.ndjson`` has lines ``{"query", "relevant": [...], "grade"?, "id"?}``.
    - Any other file is TREC qrels; ``queries`` names the file with their texts (BEIR's ``queries.jsonl``, or lines of
      id, tab, text).

    A relevant is a path, whole or from any folder on; ``path#heading``, where the heading is spelled out or as a link to it
    has it; a chunk's id; or, in quotes, words of the passage. One query's passages count each as soon as it asks for a passage,
    else those of a file count as one (``GoldQuery.level``).

    Raises:
        SourceError: There is nothing at the path, or it cannot be read.
        InputError: It is not of the format; the message has the line. Or ``queries`` is named, and it is no TREC qrels.
    """
    place = Path(path).expanduser()
    if not place.exists():
        raise SourceError(
            f"no gold at {place}", hint="name a .jsonl file, a BEIR folder or a TREC qrels file"
        )
    if queries is not None and (place.is_dir() or place.suffix == ".jsonl"):
        raise InputError(f"{place} has its queries with it", hint="a file of queries is for TREC qrels alone")
    try:
        if place.is_dir():
            return read_beir(place)
        if has_json_lines(place):
            return read_jsonl(place)
        return read_trec(place, Path(queries).expanduser() if queries is not None else None)
    except UnicodeDecodeError as error:
        raise InputError(f"{place} is not UTF-8", hint="save it as UTF-8") from error
    except OSError as error:
        raise SourceError(f"cannot read {error.filename or place}: {error.strerror}") from error
