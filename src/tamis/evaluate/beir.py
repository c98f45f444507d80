"""BEIR's layout of a test collection (Thakur et al. 2021): ``queries.jsonl`` and tab-separated ``qrels``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tamis.errors import InputError
from tamis.evaluate.gold import Target
from tamis.evaluate.lines import lines_of
from tamis.evaluate.trec import gold_of, grade, query_texts

if TYPE_CHECKING:
    from pathlib import Path

    from tamis.evaluate.gold import Gold

QRELS: Final = ("qrels/test.tsv", "qrels.tsv", "qrels/dev.tsv", "qrels/train.tsv")
"""Where judgements may be; the first one there is read."""


def read_beir(folder: Path) -> Gold:
    """Read a set's queries and judgements; documents go by their ids.

    Raises:
        InputError: A file is missing or a line is of another form.
    """
    queries = folder / "queries.jsonl"
    qrels = next((folder / name for name in QRELS if (folder / name).is_file()), None)
    if qrels is None or not queries.is_file():
        raise InputError(
            f"{folder} is no BEIR set", hint="it needs queries.jsonl, and qrels.tsv or qrels/test.tsv"
        )
    judged: dict[str, list[Target]] = {}
    for number, (place, line) in enumerate(lines_of(qrels)):
        fields = line.split("\t")
        if number == 0 and fields[-1].strip() == "score":
            continue
        if len(fields) != 3:
            raise InputError(
                f"{place} has {len(fields)} fields", hint="a line is: query-id, document-id, score"
            )
        judged.setdefault(fields[0], []).append(Target(fields[1], grade(fields[2], place)))
    return gold_of(judged, query_texts(queries))
