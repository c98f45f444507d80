"""Questions, the passages that a search finds for them, and where in those the evidence is."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import bm25s
import Stemmer

from benchmarks.quality.halves import in_half

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

CONTEXT = 20
"""Passages that a question's context has."""


class Evidence(NamedTuple):
    """Characters of a passage that the answer rests on; ``passage`` is its place in the context."""

    passage: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Case:
    """A question and its context, best passage first.

    ``spans`` is evidence of which the share that survives counts. ``answers`` are places that the answer is written at,
    any one of which will do. Either may be empty. ``cosines`` of the passages and the question, where they were asked for.
    """

    query: str
    titles: tuple[str, ...]
    texts: tuple[str, ...]
    spans: tuple[Evidence, ...]
    answers: tuple[Evidence, ...]
    cosines: tuple[float, ...] = ()


def cases(folder: Path, half: str = "all") -> Iterator[Case]:
    """The questions of a set that have evidence among the passages found for them."""
    corpus = list(_records(folder / "corpus.jsonl"))
    queries = [each for each in _records(folder / "queries.jsonl") if in_half(half, each["_id"])]
    judged = _judged(folder / "qrels.tsv")
    queries = [query for query in queries if query["_id"] in judged]
    for query, found in zip(queries, _search(corpus, [query["text"] for query in queries]), strict=True):
        passages = [corpus[index] for index in found]
        relevant = [place for place, each in enumerate(passages) if each["_id"] in judged[query["_id"]]]
        spans, answers = _evidence(query.get("metadata") or {}, passages, relevant)
        if spans or answers:
            yield Case(
                query=query["text"],
                titles=tuple(each["title"] for each in passages),
                texts=tuple(each["text"] for each in passages),
                spans=tuple(spans),
                answers=tuple(answers),
            )


def _evidence(
    metadata: Mapping[str, Any], passages: Sequence[Mapping[str, Any]], relevant: Sequence[int]
) -> tuple[list[Evidence], list[Evidence]]:
    """Spans: those of the data set, else the judged passages as a whole. Answers: wherever their words are in those."""
    if "references" in metadata:
        return list(_references(metadata, passages)), []
    answers = metadata.get("answers") or ([str(metadata["answer"])] if "answer" in metadata else [])
    places = [
        place
        for passage in relevant
        for answer in answers
        for place in _occurrences(answer.strip().casefold(), passages[passage]["text"], passage)
    ]
    whole = [Evidence(passage, 0, len(passages[passage]["text"])) for passage in relevant]
    return ([] if "answers" in metadata else whole), places


def _references(metadata: Mapping[str, Any], passages: Sequence[Mapping[str, Any]]) -> Iterator[Evidence]:
    """The parts of the data set's spans that lie in passages found; ids are ``document:start-end``."""
    for place, passage in enumerate(passages):
        document, _, bounds = passage["_id"].rpartition(":")
        first, last = map(int, bounds.split("-"))
        if document != metadata["corpus"]:
            continue
        for reference in metadata["references"]:
            start, end = max(first, reference["start_index"]), min(last, reference["end_index"])
            if start < end:
                yield Evidence(place, start - first, end - first)


def _occurrences(answer: str, text: str, passage: int) -> Iterator[Evidence]:
    folded = text.casefold()
    if len(folded) != len(text):  # folding moved the offsets
        return
    start = folded.find(answer) if answer else -1
    while start >= 0:
        yield Evidence(passage, start, start + len(answer))
        start = folded.find(answer, start + 1)


def _search(corpus: Sequence[Mapping[str, Any]], queries: list[str]) -> list[list[int]]:
    """The passages that plain BM25 finds, best first."""
    stemmer = Stemmer.Stemmer("english")
    texts = [f"{each['title']}\n{each['text']}" for each in corpus]
    index = bm25s.BM25(k1=1.2, b=0.75)
    index.index(
        bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False), show_progress=False
    )
    tokens = bm25s.tokenize(queries, stopwords="en", stemmer=stemmer, show_progress=False)
    found, _ = index.retrieve(tokens, k=min(CONTEXT, len(corpus)), show_progress=False)
    return [[int(each) for each in row] for row in found]


def _judged(path: Path) -> dict[str, set[str]]:
    judged: dict[str, set[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        query, passage, score = line.split("\t")
        if int(score) > 0:
            judged.setdefault(query, set()).add(passage)
    return judged


def _records(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)
