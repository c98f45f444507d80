"""How much of the evidence is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.compress.methods import Span, divided

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.compress.cases import Case


def span_share(case: Case, kept: Sequence[Span]) -> float:
    """The share of the evidence's characters that are kept, white space aside.

    A sentence that is written in several places is kept if one of them is.
    """
    spans = _with_copies(case, kept)
    total = sum(_solid(case, each) for each in case.spans)
    left = sum(
        _solid(case, Span(each.passage, max(each.start, span.start), min(each.end, span.end)))
        for each in case.spans
        for span in spans
        if span.passage == each.passage
    )
    return left / total if total else 1.0


def has_answer(case: Case, kept: Sequence[Span]) -> bool:
    """Whether the answer's words are kept where they stand in the judged passages, or in a copy of that sentence."""
    spans = _with_copies(case, kept)
    return any(
        span.passage == each.passage and span.start <= each.start and each.end <= span.end
        for each in case.answers
        for span in spans
    )


def _with_copies(case: Case, kept: Sequence[Span]) -> set[Span]:
    """All sentences whose words are kept, here or there."""
    said = {_words(case, span) for span in kept}
    return set(kept) | {span for span in _sentences(case) if _words(case, span) in said}


def _sentences(case: Case) -> Iterator[Span]:
    for passage in {each.passage for each in (*case.spans, *case.answers)}:
        for start, end, *_ in divided(case.texts[passage]):
            yield Span(passage, start, end)


def _words(case: Case, span: Span) -> str:
    return " ".join(case.texts[span.passage][span.start : span.end].split())


def _solid(case: Case, span: Span) -> int:
    text = case.texts[span.passage][span.start : span.end] if span.end > span.start else ""
    return len("".join(text.split()))
