"""Answering a question from what a search found, and from nothing else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from tamis.errors import InputError
from tamis.library.models import tiers
from tamis.types import Answer, Citation, Retrieval

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tamis.config import Config
    from tamis.llm import Grounded, Reply, Tier, Tiers
    from tamis.types import Hit, SearchResult

MAX_QUESTION = 1000
WORDS = range(20, 1001)
TOP_K = range(1, 21)
TOKENS_PER_WORD = 2
# Of the context: the instructions and the question.
TOKENS_AROUND = 600
FEWEST_PASSAGE_TOKENS = 256


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and how. ``min_top_score``: below it the best hit counts as nothing found."""

    text: str
    top_k: int = 8
    max_words: int = 200
    min_top_score: float | None = None
    model: str | None = None
    backend: Literal["cloud", "local"] | None = None
    tier: Literal["instant", "workhorse", "deep"] = "workhorse"

    def check(self) -> None:
        """Refuse what the seeds' schema refuses.

        Raises:
            InputError: Names the argument and what it may be.
        """
        if not self.text.strip() or len(self.text) > MAX_QUESTION:
            raise InputError("the question is empty or too long", hint=f"use 1 to {MAX_QUESTION} characters")
        if self.top_k not in TOP_K:
            raise InputError(f"top_k is {self.top_k}", hint="use 1 to 20")
        if self.max_words not in WORDS:
            raise InputError(f"max_words is {self.max_words}", hint="use 20 to 1000")
        if self.min_top_score is not None and not 0 <= self.min_top_score <= 1:
            raise InputError(f"min_top_score is {self.min_top_score:g}", hint="use 0 to 1")
        if self.tier not in ("instant", "workhorse", "deep"):
            raise InputError(f"there is no tier {self.tier!r}", hint="tiers: instant, workhorse, deep")
        if self.backend not in (None, "cloud", "local"):
            raise InputError(f"there is no backend {self.backend!r}", hint="backends: cloud, local")


def answer(question: Question, search: Callable[[], SearchResult], config: Config) -> Answer:
    """The answer to a question from the hits of ``search``, which is called once.

    What a model says without naming a single passage that was shown is no answer: the result abstains, and says why.

    Raises:
        InputError: The question is malformed.
        ConfigError: No language model is configured; nothing is searched.
        BackendError: No model answered.
    """
    from tamis.llm import answer_messages, read_answer

    question.check()
    models = tiers(config)
    local = None if question.backend is None else question.backend == "local"
    chain = models.chain(question.tier, model=question.model, local=local)
    result = search()
    if reason := _nothing(result, question):
        return _abstained(result, reason)
    shown, notes = _fitting(result.hits, chain, question.max_words)
    messages = answer_messages(
        question.text, [(_heading(hit), text) for hit, text in shown], question.max_words
    )
    reply = _asked(models, chain, messages, question.max_words)
    grounded = read_answer(reply.text, len(shown), question.max_words)
    return _checked(result, [hit for hit, _ in shown], grounded, reply, notes)


def _asked(models: Tiers, chain: Sequence[Tier], messages: list[dict[str, str]], max_words: int) -> Reply:
    from tamis.llm import ANSWER_SCHEMA
    from tamis.llm.tiers import residency

    reply = models.complete(
        chain, messages, max_tokens=TOKENS_PER_WORD * max_words + 128, schema=ANSWER_SCHEMA
    )
    used = next(tier for tier in chain if tier.name == reply.use.tier_used)
    return replace(reply, use=replace(reply.use, residency=residency(used)))


def _nothing(result: SearchResult, question: Question) -> str:
    """Why a model need not be asked; empty when it should be."""
    if not result.hits:
        return result.reason or "nothing was found"
    best = result.hits[0].score
    if question.min_top_score is not None and best < question.min_top_score:
        return f"the best score is {best:.3g}, under min_top_score {question.min_top_score:g}"
    return ""


def _abstained(result: SearchResult, reason: str) -> Answer:
    return Answer(
        answer="",
        citations=(),
        covered_sources=(),
        omitted_sources=_paths(result.hits),
        coverage_notes=(f"no model was asked: {reason}", *_seen(result)),
        mode=result.mode,
        retrieval=_retrieval(result, weak=True),
        abstained=True,
        degraded=result.degraded,
        degrade_reason=result.degrade_reason,
        warnings=result.warnings,
    )


def _checked(
    result: SearchResult, shown: Sequence[Hit], grounded: Grounded, reply: Reply, notes: list[str]
) -> Answer:
    abstained = bool(grounded.withheld)
    cited = [] if abstained else [(number, shown[number - 1]) for number in grounded.cited]
    covered = _paths([hit for _, hit in cited])
    warnings = list(result.warnings)
    if grounded.invalid:
        warnings.append(f"{grounded.invalid} citations named no passage that was shown and were taken out")
    if grounded.answerable and abstained:
        warnings.append(f"no answer: {grounded.withheld}")
    if not grounded.formatted:
        taken = "" if abstained else "; its words are taken as the answer, since they cite passages"
        warnings.append(f"{reply.use.model} did not keep to the format{taken}")
    if reply.use.fallback_from:
        warnings.append(f"{reply.use.model_requested} was late; {reply.use.model} answered")
    if grounded.gaps and not (grounded.answerable and abstained):
        notes.append(grounded.gaps)
    if grounded.cut and not abstained:
        notes.append("the answer was cut to max_words")
    if abstained:
        notes.insert(0, grounded.withheld)
    return Answer(
        answer="" if abstained else grounded.text,
        citations=tuple(_citation(number, hit) for number, hit in cited),
        covered_sources=covered,
        omitted_sources=tuple(path for path in _paths(result.hits) if path not in covered),
        coverage_notes=(*notes, *_seen(result)),
        mode=result.mode,
        retrieval=_retrieval(result, weak=result.weak),
        abstained=abstained,
        invalid_citations=grounded.invalid,
        model_use=reply.use,
        degraded=result.degraded,
        degrade_reason=result.degrade_reason,
        warnings=tuple(warnings),
    )


def _fitting(
    hits: Sequence[Hit], chain: Sequence[Tier], max_words: int
) -> tuple[list[tuple[Hit, str]], list[str]]:
    """The hits that fit into the smallest context of the chain, and what is to be said of the others."""
    from tamis.wire.tokens import guess_tokens

    room = min(tier.num_ctx for tier in chain) - TOKENS_PER_WORD * max_words - TOKENS_AROUND
    room = max(FEWEST_PASSAGE_TOKENS, room)
    shown: list[tuple[Hit, str]] = []
    for hit in hits:
        needed = guess_tokens(hit.text) + guess_tokens(_heading(hit)) + 16
        if needed > room:
            break
        room -= needed
        shown.append((hit, hit.text))
    notes: list[str] = []
    if not shown:
        shown = [(hits[0], hits[0].text[:room])]
        notes.append("the best passage was cut to fit into the model's context")
    if len(shown) < len(hits):
        notes.append(f"{len(hits) - len(shown)} of {len(hits)} passages did not fit into the model's context")
    return shown, notes


def _seen(result: SearchResult) -> list[str]:
    notes: list[str] = []
    if result.dense_coverage is not None and result.dense_coverage < 1:
        notes.append(f"{result.dense_coverage:.0%} of the corpus was searched by meaning")
    stale = _paths([hit for hit in result.hits if hit.stale])
    if stale:
        notes.append(f"changed on disk since they were indexed: {', '.join(stale)}")
    return notes


def _heading(hit: Hit) -> str:
    return " › ".join(dict.fromkeys(filter(None, (hit.path, hit.title, *hit.heading_path))))


def _paths(hits: Sequence[Hit]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(hit.path for hit in hits))


def _retrieval(result: SearchResult, *, weak: bool) -> Retrieval:
    best = result.hits[0].score if result.hits else None
    return Retrieval(len(result.hits), result.total_chunks, best, weak)


def _citation(number: int, hit: Hit) -> Citation:
    return Citation(
        number, hit.id, hit.path, hit.chunk_index, hit.heading_path, hit.title, hit.score, hit.lines
    )
