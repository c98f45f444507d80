"""``corpus_answer``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType

from tamis.mcp_server.arguments import CorpusName, Filled, ModeName, Paged, given
from tamis.mcp_server.schemas import (
    BOOLEAN,
    INTEGER,
    LINES,
    MAYBE_NUMBER,
    NUMBER,
    STRING,
    STRINGS,
    record,
    several,
)
from tamis.mcp_server.tool import Answer, Lane, Tool

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tamis.mcp_server.fence import Fence
    from tamis.mcp_server.tool import Call

DEFAULT_TOP_K = 8
DEFAULT_WORDS = 200


class Arguments(Paged, kw_only=True):
    corpus: Annotated[CorpusName, Meta(description="The corpus to answer from; corpus_list has the names.")]
    question: Annotated[str, Meta(min_length=1, max_length=1000, description="The question, as text.")]
    mode: (
        Annotated[ModeName, Meta(description="How to find the passages, as in corpus_search.")] | UnsetType
    ) = UNSET
    top_k: (
        Annotated[int, Meta(ge=1, le=20, description="Passages that the model reads at most (default 8).")]
        | UnsetType
    ) = UNSET
    max_words: (
        Annotated[int, Meta(ge=20, le=1000, description="How long the answer may be (default 200).")]
        | UnsetType
    ) = UNSET
    min_top_score: (
        Annotated[
            float, Meta(ge=0, le=1, description="Abstain, asking no model, where the best hit scores less.")
        ]
        | UnsetType
    ) = UNSET
    model: (
        Annotated[Filled, Meta(description="Another model of the tier's server than the configured one.")]
        | UnsetType
    ) = UNSET
    backend: (
        Annotated[
            Literal["cloud", "local"],
            Meta(
                description="local: only a model on this machine. cloud: only one elsewhere.",
                extra_json_schema={"type": "string"},
            ),
        ]
        | UnsetType
    ) = UNSET
    tier: (
        Annotated[
            Literal["instant", "workhorse", "deep"],
            Meta(
                description="Which of the configured models (default workhorse); a late one hands over to a smaller one.",
                extra_json_schema={"type": "string"},
            ),
        ]
        | UnsetType
    ) = UNSET


def run(call: Call, arguments: Arguments) -> Answer:
    answer = call.library.corpus(arguments.corpus).answer(
        arguments.question,
        mode=given(arguments.mode),
        top_k=given(arguments.top_k) or DEFAULT_TOP_K,
        max_words=given(arguments.max_words) or DEFAULT_WORDS,
        min_top_score=given(arguments.min_top_score),
        model=given(arguments.model),
        backend=given(arguments.backend),
        tier="workhorse" if arguments.tier is UNSET else arguments.tier,
    )
    return Answer(answer, _text)


def _text(result: dict[str, Any], fence: Fence) -> str:
    retrieved = result["retrieval"]["retrieved"]
    if result["abstained"]:
        head = f"No answer: {retrieved} passages were found and none of them gives one."
    else:
        head = f"Answered from {retrieved} passages; [n] marks a citation."
    # A model wrote the answer and its notes from documents, so they are no more to be trusted than these.
    told = "\n".join(_lines(result))
    return f"{head} {fence.notice}\n\n{fence.around(told)}" if told else head


def _lines(result: dict[str, Any]) -> Iterator[str]:
    if result["answer"]:
        yield result["answer"]
    for cited in result["citations"]:
        first, last = cited["lines"]
        where = " > ".join(cited["heading_path"]) or cited["title"]
        yield f"[{cited['number']}] {cited['path']}:{first}-{last} id {cited['id']} {where}".rstrip()
    yield from (f"note: {note}" for note in result["coverage_notes"])


TOOL = Tool(
    name="corpus_answer",
    title="Answer from a corpus",
    description=(
        "Have the configured language model answer a question from a corpus's passages alone. Use it for a short cited answer "
        "in place of reading hits yourself; corpus_search needs no language model. Returns the answer with checked citations, "
        "or abstained where nothing relevant is found. Next: corpus_get reads a citation."
    ),
    arguments=Arguments,
    result=record(
        "answer", "citations", "covered_sources", "omitted_sources", "coverage_notes", "mode", "retrieval", "abstained",
        answer=STRING,
        citations=several(
            record(
                "path", "chunk_index", "heading_path", "title", "score",
                number=INTEGER, id=STRING, path=STRING, chunk_index=INTEGER, heading_path=STRINGS, title=STRING,
                score=NUMBER, lines=LINES,
            )
        ),
        covered_sources=STRINGS, omitted_sources=STRINGS, coverage_notes=STRINGS, mode=STRING,
        retrieval=record(
            "retrieved", "total_in_corpus", "weak",
            retrieved=INTEGER, total_in_corpus=INTEGER, top_score=MAYBE_NUMBER, weak=BOOLEAN,
        ),
        abstained=BOOLEAN, invalid_citations=INTEGER,
    ),
    run=run,
    seed_name="ollama_corpus_answer",
    seed_arguments=frozenset(
        ("corpus", "question", "mode", "top_k", "max_words", "min_top_score", "model", "backend")
    ),
    lane=Lane.CHAT,
)  # fmt: skip
